// A vitest reporter that keeps a list of the test files in progress, one per line, in the file named by
// L4DESK_UNFINISHED. A test in an endless loop blocks its whole process; this list shows which file it is in.
import { writeFileSync } from 'node:fs';

export default class UnfinishedReporter {
  #files = new Set();

  onTestModuleStart({ relativeModuleId }) {
    this.#files.add(relativeModuleId);
    this.#write();
  }

  onTestModuleEnd({ relativeModuleId }) {
    this.#files.delete(relativeModuleId);
    this.#write();
  }

  #write() {
    writeFileSync(process.env.L4DESK_UNFINISHED, [...this.#files].map((file) => `${file}\n`).join(''));
  }
}
