//! Connections: how many, and how long one may dawdle.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::Config;

/// Takes connections for ever.
pub async fn accept(listener: TcpListener, config: Config) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(config.connections));
    let slow = config.slow;
    // A run, the wait for its turn, and a reader who comes back now and then for an hour.
    let longest = config.time + config.patience + Duration::from_secs(3600);
    let router = crate::router(config, port);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return Ok(());
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Out of file descriptors, or the other side has left already: a moment later it may work.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut server = http1::Builder::new();
            server
                .timer(TokioTimer::new())
                .header_read_timeout(slow)
                .max_buf_size(64 << 10)
                .half_close(false);
            let connection = server.serve_connection(TokioIo::new(stream), service);
            let _ = timeout(longest, connection).await;
        });
    }
}
