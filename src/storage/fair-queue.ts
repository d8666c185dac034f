/** Lets one job run at a time, in the order in which they were asked for. */

export class FairQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `job` after every earlier one has ended, however it ended. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
