//! The order in which requests are answered: a queue for each client, so that one cannot keep the others waiting.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// The client of a request: an address, and on this computer, where all have the same one, a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr, u16);

impl Client {
    /// The client at the other end of a connection.
    pub fn new(peer: SocketAddr) -> Client {
        match peer.ip().is_loopback() {
            true => Client(peer.ip(), peer.port()),
            false => Client(peer.ip(), 0),
        }
    }
}

/// Work of which only some may be done at once.
///
/// A turn is free while fewer than `places` work. A client that has none may take one of as many spare turns, so that
/// the long work of others does not hold it up. Clients with the fewest turns come first, then those that came first.
pub struct Lane {
    places: usize,
    /// Requests of all clients, and of one, that may wait.
    waiting: usize,
    waiting_of_one: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    working: usize,
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
        self.working < places || idle && self.working < 2 * places
    }

    fn begin(&mut self, client: Client) {
        self.working += 1;
        *self.turns.entry(client).or_default() += 1;
    }

    fn end(&mut self, client: Client) {
        self.working -= 1;
        if let Some(turns) = self.turns.get_mut(&client) {
            *turns -= 1;
            if *turns == 0 {
                self.turns.remove(&client);
            }
        }
    }
}

/// The right to work, until it is dropped.
pub struct Turn {
    lane: Arc<Lane>,
    client: Client,
}

impl Lane {
    /// A lane in which `places` work at once and `waiting` requests may wait.
    pub fn new(places: usize, waiting: usize) -> Arc<Lane> {
        Arc::new(Lane {
            places,
            waiting,
            waiting_of_one: (waiting / 4).max(1),
            state: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn, at most for `patience`. Returns nothing if there is none by then, or if too many wait already.
    pub async fn turn(self: &Arc<Lane>, client: Client, patience: Duration) -> Option<Turn> {
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
        timeout(patience, turn).await.ok()?.ok()
    }

    /// Whether somebody waits for a turn.
    pub fn is_awaited(&self) -> bool {
        let state = self.lock();
        state.queue.iter().any(|waiter| !waiter.wake.is_closed())
    }

    /// Hands a turn to the next in the queue, if there is one to be had.
    fn hand_on(self: &Arc<Lane>) {
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
            // One who has just given up drops the turn, which hands it on.
            let _ = waiter.wake.send(turn);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.lane.lock().end(self.client);
        self.lane.hand_on();
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
        let lane = Lane::new(2, 16);
        let greedy = client(1);
        let held = [
            lane.turn(greedy, SOON).await.expect("free"),
            lane.turn(greedy, SOON).await.expect("free"),
        ];
        assert!(lane.turn(greedy, SOON).await.is_none());
        let other = lane.turn(client(2), SOON).await.expect("a spare turn");
        drop((held, other));
        assert!(lane.lock().turns.is_empty());
    }

    #[tokio::test]
    async fn those_with_the_fewest_turns_come_first() {
        let lane = Lane::new(1, 16);
        let (greedy, modest) = (client(1), client(2));
        let first = lane.turn(greedy, SOON).await.expect("free");
        let spare = lane.turn(client(3), SOON).await.expect("a spare turn");
        let patience = Duration::from_secs(20);
        let again = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.turn(greedy, patience).await }
        });
        tokio::task::yield_now().await;
        let waits = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.turn(modest, patience).await }
        });
        tokio::task::yield_now().await;
        drop(spare);
        assert!(waits.await.expect("no panic").is_some());
        assert!(!again.is_finished());
        drop(first);
        assert!(again.await.expect("no panic").is_some());
    }

    #[tokio::test]
    async fn a_client_can_fill_a_part_of_the_queue_only() {
        let lane = Lane::new(1, 8);
        let _held = lane.turn(client(1), SOON).await.expect("free");
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
