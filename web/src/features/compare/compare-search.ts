/** What the comparison keeps in its address. */

export interface CompareSearch {
  readonly file?: string;
  /** `other`: two attempts against each other, as `A,B` in `pair`. */
  readonly against?: "other";
  readonly pair?: string;
  readonly names?: "hidden";
  readonly files?: "differ";
  /** The letter of the attempt that has the focus. */
  readonly attempt?: string;
  /** Parts are being taken into a new attempt. */
  readonly take?: "1";
  /** Absent: the panes of all attempts, and two attempts side by side. */
  readonly mode?: "split" | "unified";
  readonly space?: "hidden";
  /** The part that has the screen for itself. */
  readonly only?: "files" | "diffs";
}

export type SetSearch = (
  change: {
    readonly [Key in keyof CompareSearch]?: CompareSearch[Key] | undefined;
  },
) => void;
