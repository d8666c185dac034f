/** What a review keeps in its address. */

export interface ReviewSearch {
  /** Since which run the diff is, or `base`; absent: since the last review, if there is something new. */
  readonly since?: string;
  /** The run whose own diff is shown. */
  readonly run?: string;
  readonly file?: string;
  readonly line?: string;
  readonly mode?: "split";
  readonly space?: "hidden";
}

export type SetSearch = (
  change: {
    readonly [Key in keyof ReviewSearch]?: ReviewSearch[Key] | undefined;
  },
) => void;
