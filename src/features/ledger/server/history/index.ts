export {
  findImport,
  findRunning,
  insertImport,
  listImports,
  lockImport,
  restoreTimes,
  type StoredImport,
  saveImport,
} from './queries.ts'
