// `node as-user.mjs <uid> <gid> <group> <program> [argument …]` runs a program as another user with one supplementary group, as a
// container engine does. Only root can do that; other users run it as themselves.
import { pathToFileURL } from 'node:url';

const [, , uid, gid, group, program] = process.argv;
if (process.getuid?.() === 0) {
  process.umask(0o022);
  process.setgroups([Number(group)]);
  process.setgid(Number(gid));
  process.setuid(Number(uid));
}
process.argv.splice(1, 5, program);
await import(pathToFileURL(program).href);
