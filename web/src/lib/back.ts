// The Back button closes what was opened last: a board, the script of a scenario. Without this it would leave the page.

let layers = 0;

/** Adds an entry to the history. Returns a function that removes it, for layers that are closed otherwise. */
export function closesOnBack(close: () => void): () => void {
  const layer = ++layers;
  history.pushState({ layer }, '');
  const onBack = () => {
    if ((history.state as { layer?: number } | null)?.layer !== layer) {
      removeEventListener('popstate', onBack);
      close();
    }
  };
  addEventListener('popstate', onBack);
  return () => {
    removeEventListener('popstate', onBack);
    if ((history.state as { layer?: number } | null)?.layer === layer) history.back();
  };
}
