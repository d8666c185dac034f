/** Runs one job at a time, in the order of the calls. */

export class FairQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `job` after every earlier one has ended, with or without an error. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
