/** Says for every door which words may be labels of a worker. */
export { labelsSchema } from "../domain/worker/labels.ts";
