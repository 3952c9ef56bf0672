import { buildServer } from '../../scripts/prepare.mjs'

/** What tests start as a process is what people start: the built server, of the sources as they are. */
export default () => buildServer(process.execPath)
