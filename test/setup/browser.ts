import { startServer } from './postgres.ts'

/** Starts the one PostgreSQL of a run of browser journeys; its workers find it in the environment. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, folder, stop } = await startServer()
  Object.assign(process.env, { BROWSER_POSTGRES: url, BROWSER_FOLDER: folder })
  return stop
}
