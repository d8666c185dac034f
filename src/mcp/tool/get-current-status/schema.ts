/**
 * Names the schemas of `get_current_status` at the path of its seed (seed 004 Layer Integration); the tool holds them,
 * for every door.
 */
export type { GetCurrentStatusResponse } from "../../../tools/issue/get_current_status/types.ts";
export { getCurrentStatusOutputSchema } from "../../../tools/issue/get_current_status/validator.ts";
