/** Names the schema of what `define_issue` answers where seed 004 has it; the tool itself holds it, for every door. */
export { defineIssueOutput as defineIssueOutputSchema } from "../../../tools/issue/define_issue/validator.ts";
