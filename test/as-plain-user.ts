/** Does something without the superuser's rights, whom the rights of files do not bind. */
export function asPlainUser<T>(work: () => T): T {
  const superuser = process.getuid?.() === 0;
  if (superuser) process.seteuid?.(65534);
  try {
    return work();
  } finally {
    if (superuser) process.seteuid?.(0);
  }
}
