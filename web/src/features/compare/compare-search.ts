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
}

export type SetSearch = (
  change: {
    readonly [Key in keyof CompareSearch]?: CompareSearch[Key] | undefined;
  },
) => void;
