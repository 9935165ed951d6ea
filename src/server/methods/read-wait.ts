/** How long a page waits for what was recorded a moment ago. */
export const READ_WAIT_MS: number = 300;
