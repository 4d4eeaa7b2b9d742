import type { TextIndex } from './text-index.ts'

/** Triggers follow every change of a record: see the migration. */
export const sqliteTextIndex: TextIndex = {
  async put() {},
  async differing() {
    return []
  },
  async remove() {},
}
