/** A program for a `command` agent: it writes a note, and works on until it is stopped if it is asked to wait. */
export const NOTE_WRITER = `
printf '%s\\n' "$TAZUNA_INSTRUCTION" >> notes.txt
echo "I wrote a note."
case "$TAZUNA_INSTRUCTION" in *wait*) exec sleep 900;; esac
`;
