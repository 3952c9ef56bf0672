export { enqueueDownload } from './download.ts'
export { findDownload, updateDownload, updateRemote } from './queries.ts'
export { saveTranscript } from './transcript.ts'
