// A reporter for vitest that keeps a list of the test files under way, one a line, in the file that
// L4DESK_UNFINISHED names. A test that loops for ever stops its whole process; this is how it is named.
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
