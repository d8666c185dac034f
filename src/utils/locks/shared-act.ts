/** Shares one act among all who ask for it at the same time. Nobody gets an answer older than the question. */

interface Going<T> {
  readonly ended: Promise<unknown>;
  next: Promise<T> | null;
}

/**
 * Runs `act`, unless one of the same key goes on. That one may miss what changed since it began: whoever asks meanwhile
 * gets the next one, which begins when it has settled and which all of them share.
 */
export function createSharedAct<T>(): (key: string, act: () => Promise<T>) => Promise<T> {
  const acts = new Map<string, Going<T>>();
  const begin = (key: string, act: () => Promise<T>): Promise<T> => {
    const answer = act();
    const going: Going<T> = { ended: answer.catch(() => undefined), next: null };
    acts.set(key, going);
    void going.ended.then(() => acts.get(key) === going && going.next === null && acts.delete(key));
    return answer;
  };
  return (key, act) => {
    const going = acts.get(key);
    if (going === undefined) return begin(key, act);
    going.next ??= going.ended.then(() => begin(key, act));
    return going.next;
  };
}
