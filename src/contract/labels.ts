/** Says for every door which words may be labels of a worker. */
export { isLabel, LABEL_RULE, MOST_LABELS } from "../domain/worker/labels.ts";
