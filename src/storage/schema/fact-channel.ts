/** Names the channel on which a Postgres tells the numbers of new facts; each schema has its own. */

/** An expression of SQL, for whoever tells and whoever listens. */
export const FACT_CHANNEL = "'tazuna_facts_' || md5(current_schema())";
