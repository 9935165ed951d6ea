/**
 * The session id of what the user asks to remember outside of any session. It is found by search like everything
 * else, but it is no session: it is not listed or counted as one.
 */
export const NOTES_SESSION = 'notes';
