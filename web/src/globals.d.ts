/** The version of Tazuna that this page was built from. */
declare const __VERSION__: string;
