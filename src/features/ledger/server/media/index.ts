export { enqueueDownload } from './download.ts'
export { findDownload, updateDownload, updateRemote } from './queries.ts'
export { keepTranscript } from './transcript.ts'
