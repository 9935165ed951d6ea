/** Whether no piece of half a secret's length or more is left in a text. */
export function isGone(secret: string, text: string): boolean {
  const piece = Math.ceil(secret.length / 2);
  for (let at = 0; at + piece <= secret.length; at++) {
    if (text.includes(secret.slice(at, at + piece))) return false;
  }
  return true;
}
