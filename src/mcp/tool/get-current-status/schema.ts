/** Names the schemas of `get_current_status` where seed 004 has them (Layer Integration); the tool itself holds them, for every door. */
export type { GetCurrentStatusResponse } from "../../../tools/issue/get_current_status/types.ts";
export { getCurrentStatusOutputSchema } from "../../../tools/issue/get_current_status/validator.ts";
