import { buildServer } from '../../scripts/prepare.mjs'

/** Builds the server from the current sources, so that tests start the process that users start. */
export default () => buildServer(process.execPath)
