//! Connections: their number, and timeouts for connections that neither read nor write.

use std::collections::HashSet;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep, timeout};

use crate::Config;
use crate::turns::Client;

/// Bytes of the buffer in which hyper collects the headers of a request.
const HEADER_BUFFER: usize = 64 << 10;
/// Time without a successful write after which a connection may be closed for a new one, if all places are taken.
const STALLED_TIME: Duration = Duration::from_secs(1);
/// Timeout of an idle connection: longer than the pause between two keep-alive events of a run.
const IDLE_TIMEOUT: Duration = Duration::from_secs(6);
/// Interval at which to look for a connection to close while waiting for a place.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Accepts connections until the listener fails.
///
/// While all places are taken, further places are reserved for addresses with few connections, so that an address with
/// very many cannot lock others out. Of the latter, one more connection waits for a place, and the others are refused.
pub async fn accept(listener: TcpListener, config: Config) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(config.connections));
    let reserved = Arc::new(Semaphore::new(config.connections.div_ceil(4)));
    let few = (config.connections / 16).max(1);
    let most_waiting = config.connections;
    let waiting: Arc<Mutex<HashSet<IpAddr>>> = Arc::default();
    let open = Arc::new(Open::default());
    let slow = config.slow;
    // The time of a run and of the wait before it, plus some minutes for a client that reads slowly.
    let longest = config.time + config.max_wait + Duration::from_secs(600);
    let router = crate::router(config, port);
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // No file descriptor is free, or the client has left already. A later attempt may succeed.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let address = peer.ip();
        let serving = Serving {
            router: router.clone(),
            open: Arc::clone(&open),
            peer,
            slow,
            longest,
        };
        let place = match Arc::clone(&places).try_acquire_owned() {
            Err(_) if open.connections_from(address) < few => {
                Arc::clone(&reserved).try_acquire_owned()
            }
            place => place,
        };
        if let Ok(place) = place {
            serving.begin(stream, place);
            continue;
        }
        {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if waiting.len() >= most_waiting || !waiting.insert(address) {
                tokio::spawn(refuse(stream));
                continue;
            }
        }
        let (places, waiting) = (Arc::clone(&places), Arc::clone(&waiting));
        tokio::spawn(async move {
            let place = loop {
                match timeout(CHECK_INTERVAL, Arc::clone(&places).acquire_owned()).await {
                    Ok(place) => break place,
                    Err(_) => serving.open.close_one(),
                }
            };
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.remove(&address);
            if let Ok(place) = place {
                serving.begin(stream, place);
            }
        });
    }
}

/// Answers a connection for which there is no place.
async fn refuse(stream: TcpStream) {
    const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
        content-type: text/plain\r\ncontent-length: 38\r\n\r\nToo many connections; try again later\n";
    // The answer fits into the empty buffer of a new connection.
    if let Ok(Ok(())) = timeout(STALLED_TIME, stream.writable()).await {
        let _ = stream.try_write(ANSWER);
    }
}

/// Data for serving one connection.
struct Serving {
    router: Router,
    open: Arc<Open>,
    peer: SocketAddr,
    slow: Duration,
    longest: Duration,
}

impl Serving {
    /// Starts a task that serves the connection. The connection counts as open from now on, not only when the task runs,
    /// because the next connection may be accepted before that.
    fn begin(self, stream: TcpStream, place: OwnedSemaphorePermit) {
        let activity = self.open.add(self.peer.ip());
        tokio::spawn(self.serve(stream, activity, place));
    }

    /// Serves the connection until it ends or is closed for another one, and then gives its place back.
    async fn serve(self, stream: TcpStream, activity: Arc<Activity>, _place: OwnedSemaphorePermit) {
        let router = self
            .router
            .layer(Extension(Client::new(self.peer)))
            .layer(Extension(Arc::clone(&activity)));
        let service = TowerToHyperService::new(router);
        let mut server = http1::Builder::new();
        server
            .timer(TokioTimer::new())
            .header_read_timeout(self.slow)
            .max_buf_size(HEADER_BUFFER)
            .half_close(false);
        let stream = TimedStream {
            stream,
            slow: self.slow,
            activity: Arc::clone(&activity),
            stalled: None,
        };
        let connection = server.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            _ = timeout(self.longest, connection) => {}
            () = activity.give_way.notified() => {}
        }
    }
}

/// Activity of a connection.
pub struct Activity {
    address: IpAddr,
    since: Instant,
    /// Milliseconds after `since` of the last read or write.
    last: AtomicU64,
    /// Whether data is waiting to be written that the client does not read.
    stalled: AtomicBool,
    /// Whether a request is in progress.
    pub answering: AtomicBool,
    give_way: Notify,
}

impl Activity {
    fn note(&self) {
        let now = self.since.elapsed().as_millis() as u64;
        self.last.store(now, Ordering::Relaxed);
        self.stalled.store(false, Ordering::Relaxed);
    }

    /// Returns the time since the last activity, if it is long enough to close the connection.
    fn closable_after(&self) -> Option<Duration> {
        let last = Duration::from_millis(self.last.load(Ordering::Relaxed));
        let quiet = self.since.elapsed().saturating_sub(last);
        let stalled = self.stalled.load(Ordering::Relaxed);
        let idle = !self.answering.load(Ordering::Relaxed);
        (stalled && quiet >= STALLED_TIME || idle && quiet >= IDLE_TIMEOUT).then_some(quiet)
    }
}

/// Open connections.
#[derive(Default)]
struct Open(Mutex<Vec<Weak<Activity>>>);

impl Open {
    fn add(&self, address: IpAddr) -> Arc<Activity> {
        let activity = Arc::new(Activity {
            address,
            since: Instant::now(),
            last: AtomicU64::new(0),
            stalled: AtomicBool::new(false),
            answering: AtomicBool::new(false),
            give_way: Notify::new(),
        });
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|known| known.strong_count() > 0);
        list.push(Arc::downgrade(&activity));
        activity
    }

    /// Returns the number of open connections from an address.
    fn connections_from(&self, address: IpAddr) -> usize {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = list.iter().filter_map(Weak::upgrade);
        open.filter(|activity| activity.address == address).count()
    }

    /// Closes the connection with the longest inactivity, if that is long enough.
    fn close_one(&self) {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = list.iter().filter_map(Weak::upgrade);
        let closable_after =
            open.filter_map(|activity| Some((activity.closable_after()?, activity)));
        if let Some((_, activity)) = closable_after.max_by_key(|(quiet, _)| *quiet) {
            activity.give_way.notify_one();
        }
    }
}

/// A stream that fails if the client does not read sent data within `slow`.
struct TimedStream {
    stream: TcpStream,
    slow: Duration,
    activity: Arc<Activity>,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    fn wrote<T>(&mut self, cx: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stalled = None;
            self.activity.note();
            return done;
        }
        let slow = self.slow;
        let limit = self.stalled.get_or_insert_with(|| Box::pin(sleep(slow)));
        self.activity.stalled.store(true, Ordering::Relaxed);
        match limit.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if read.is_ready() {
            self.activity.note();
        }
        read
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.wrote(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
