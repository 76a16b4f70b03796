//! Connections: their number, and timeouts for connections that neither read nor write.

use std::io;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
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
pub async fn accept(listener: TcpListener, config: Config) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(config.connections));
    let open = Open::default();
    let slow = config.slow;
    // The time of a run and of the wait before it, plus some minutes for a slow reader.
    let longest = config.time + config.patience + Duration::from_secs(600);
    let router = crate::router(config, port);
    loop {
        let place = loop {
            match timeout(CHECK_INTERVAL, Arc::clone(&places).acquire_owned()).await {
                Ok(Ok(place)) => break place,
                Ok(Err(_)) => return Ok(()),
                Err(_) => open.close_one(),
            }
        };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // No file descriptor is free, or the client has left already. A later attempt may succeed.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let activity = open.add();
        let router = router
            .clone()
            .layer(Extension(Client::new(peer)))
            .layer(Extension(Arc::clone(&activity)));
        let service = TowerToHyperService::new(router);
        tokio::spawn(async move {
            let _place = place;
            let mut server = http1::Builder::new();
            server
                .timer(TokioTimer::new())
                .header_read_timeout(slow)
                .max_buf_size(HEADER_BUFFER)
                .half_close(false);
            let stream = TimedStream {
                stream,
                slow,
                activity: Arc::clone(&activity),
                stalled: None,
            };
            let connection = server.serve_connection(TokioIo::new(stream), service);
            tokio::select! {
                _ = timeout(longest, connection) => {}
                () = activity.give_way.notified() => {}
            }
        });
    }
}

/// Activity of a connection.
pub struct Activity {
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
    fn add(&self) -> Arc<Activity> {
        let activity = Arc::new(Activity {
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
