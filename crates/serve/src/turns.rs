//! Scheduling of requests: a queue for each client, so that one client cannot block the others.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// Client of a request: an address and, on this computer, where all clients have one address, a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr, u16);

impl Client {
    /// Returns the client of a connection.
    pub fn new(peer: SocketAddr) -> Client {
        match peer.ip().is_loopback() {
            true => Client(peer.ip(), peer.port()),
            false => Client(peer.ip(), 0),
        }
    }
}

/// A queue for work that only some clients may do at the same time.
///
/// A turn is free while fewer than `places` requests work. A client without a turn may take one of an equal number of
/// spare turns, so that long work of others does not block it. Clients with the fewest turns come first, then those
/// that have waited longest.
pub struct TurnQueue {
    places: usize,
    /// Maximum number of waiting requests of all clients.
    waiting: usize,
    waiting_of_one: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    in_progress: usize,
    turns: HashMap<Client, usize>,
    queue: Vec<Waiter>,
}

struct Waiter {
    client: Client,
    wake: oneshot::Sender<Turn>,
}

impl State {
    fn may_begin(&self, client: Client, places: usize) -> bool {
        let idle = !self.turns.contains_key(&client);
        self.in_progress < places || idle && self.in_progress < 2 * places
    }

    fn begin(&mut self, client: Client) {
        self.in_progress += 1;
        *self.turns.entry(client).or_default() += 1;
    }

    fn end(&mut self, client: Client) {
        self.in_progress -= 1;
        if let Some(turns) = self.turns.get_mut(&client) {
            *turns -= 1;
            if *turns == 0 {
                self.turns.remove(&client);
            }
        }
    }
}

/// The permission to work, until it is dropped.
pub struct Turn {
    lane: Arc<TurnQueue>,
    client: Client,
}

impl TurnQueue {
    /// Creates a queue in which `places` requests work at the same time and `waiting` requests may wait.
    pub fn new(places: usize, waiting: usize) -> Arc<TurnQueue> {
        Arc::new(TurnQueue {
            places,
            waiting,
            waiting_of_one: (waiting / 4).max(1),
            state: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn, at most for `max_wait`. Returns `None` if no turn is free by then, or if too many requests
    /// wait already.
    pub async fn turn(self: &Arc<TurnQueue>, client: Client, max_wait: Duration) -> Option<Turn> {
        let turn = {
            let mut state = self.lock();
            if state.may_begin(client, self.places) {
                state.begin(client);
                return Some(Turn {
                    lane: Arc::clone(self),
                    client,
                });
            }
            state.queue.retain(|waiter| !waiter.wake.is_closed());
            let own = state.queue.iter().filter(|it| it.client == client).count();
            if state.queue.len() >= self.waiting || own >= self.waiting_of_one {
                return None;
            }
            let (wake, turn) = oneshot::channel();
            state.queue.push(Waiter { client, wake });
            turn
        };
        timeout(max_wait, turn).await.ok()?.ok()
    }

    /// Returns whether a request waits for a turn.
    pub fn is_awaited(&self) -> bool {
        let state = self.lock();
        state.queue.iter().any(|waiter| !waiter.wake.is_closed())
    }

    /// Gives a free turn to the next request in the queue.
    fn pass_on(self: &Arc<TurnQueue>) {
        loop {
            let waiter = {
                let mut state = self.lock();
                let fewest = |(place, waiter): &(usize, &Waiter)| {
                    (state.turns.get(&waiter.client).copied(), *place)
                };
                let next = state.queue.iter().enumerate().min_by_key(fewest);
                let Some((place, client)) = next.map(|(place, it)| (place, it.client)) else {
                    return;
                };
                if !state.may_begin(client, self.places) {
                    return;
                }
                let waiter = state.queue.remove(place);
                if waiter.wake.is_closed() {
                    continue;
                }
                state.begin(client);
                waiter
            };
            let turn = Turn {
                lane: Arc::clone(self),
                client: waiter.client,
            };
            // If the request no longer waits, the turn is dropped, which gives it to the next request.
            let _ = waiter.wake.send(turn);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.lane.lock().end(self.client);
        self.lane.pass_on();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    fn client(last: u8) -> Client {
        Client::new(SocketAddr::from(([10, 0, 0, last], 1)))
    }

    #[tokio::test]
    async fn one_client_cannot_keep_another_waiting() {
        let lane = TurnQueue::new(2, 16);
        let greedy = client(1);
        let held = [
            lane.turn(greedy, SOON).await.expect("a turn is free"),
            lane.turn(greedy, SOON).await.expect("a turn is free"),
        ];
        assert!(lane.turn(greedy, SOON).await.is_none());
        let other = lane
            .turn(client(2), SOON)
            .await
            .expect("a spare turn is free");
        drop((held, other));
        assert!(lane.lock().turns.is_empty());
    }

    #[tokio::test]
    async fn those_with_the_fewest_turns_come_first() {
        let lane = TurnQueue::new(1, 16);
        let (greedy, modest) = (client(1), client(2));
        let first = lane.turn(greedy, SOON).await.expect("a turn is free");
        let spare = lane
            .turn(client(3), SOON)
            .await
            .expect("a spare turn is free");
        let max_wait = Duration::from_secs(20);
        let again = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.turn(greedy, max_wait).await }
        });
        tokio::task::yield_now().await;
        let waits = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.turn(modest, max_wait).await }
        });
        tokio::task::yield_now().await;
        drop(spare);
        assert!(waits.await.expect("the task does not panic").is_some());
        assert!(!again.is_finished());
        drop(first);
        assert!(again.await.expect("the task does not panic").is_some());
    }

    #[tokio::test]
    async fn a_client_can_fill_a_part_of_the_queue_only() {
        let lane = TurnQueue::new(1, 8);
        let _held = lane.turn(client(1), SOON).await.expect("a turn is free");
        let waiting = (0..2).map(|_| {
            let lane = Arc::clone(&lane);
            tokio::spawn(async move { lane.turn(client(1), Duration::from_secs(20)).await })
        });
        let waiting: Vec<_> = waiting.collect();
        tokio::task::yield_now().await;
        assert!(
            lane.turn(client(1), Duration::from_secs(20))
                .await
                .is_none()
        );
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
