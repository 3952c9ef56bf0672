import { resolve } from 'node:path'
import { toError } from '#kit/errors.ts'
import { refuseUnfinishedFolder } from './backup/unfinished.ts'
import { migrate } from './db/migrate.ts'
import { checkServer } from './db/preflight.ts'
import { databaseUrls } from './db/roles.ts'
import { type Env, readEnv } from './env.ts'
import { isHostProcess, startHostProcess } from './host-process.ts'
import { createLog, type Log } from './log.ts'
import { startEmbedded } from './postgres/embedded.ts'
import { lockInstance } from './postgres/instance-lock.ts'
import { loadSecrets } from './secrets.ts'
import { prepareDataDir, startProblem } from './start-problem.ts'
import { handleUncaught } from './uncaught.ts'
import { startWatchdog } from './watchdog.ts'

// A host prints nothing; its parent process does.
const print = (line: string) => isHostProcess || console.log(line)

/** Starts the product and ends it in order; prints the addresses and links for its operator. */
async function main(env: Env) {
  env.DATA_DIR = resolve(env.DATA_DIR)
  const log = createLog(env)
  const ends: (() => unknown)[] = []
  const end = async () => {
    for (const step of ends.reverse()) {
      try {
        await step()
      } catch (err) {
        // A part that cannot end (its database is gone) does not prevent the others from ending.
        log.error({ err }, 'a part did not end in peace')
      }
    }
  }
  handleUncaught(log, end)
  let stopping: Promise<void> | undefined
  const stop = (signal: string) => {
    if (stopping) return
    print(`\n${signal}: terminando o que está em andamento…`)
    const limit = setTimeout(() => process.exit(1), 25_000)
    stopping = end().then(() => {
      clearTimeout(limit)
      print('Até logo.')
      process.exit(0)
    })
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  if (isHostProcess) {
    process.once('disconnect', () => stop('disconnect'))
    if (!process.connected) stop('disconnect')
  }
  try {
    await start(env, log, ends)
  } catch (error) {
    log.debug({ err: error }, 'start failed')
    const problem = startProblem(error, env)
    setTimeout(() => refuse(problem), 5_000) // the database may be what does not answer
    await end().catch(() => {})
    refuse(problem)
  }
}

/** Starts database, migrations and server; `ends` gets what stops each part, in the order in which they started. */
async function start(env: Env, log: Log, ends: (() => unknown)[]): Promise<void> {
  prepareDataDir(env.DATA_DIR)
  refuseUnfinishedFolder(env.DATA_DIR)
  const secrets = loadSecrets(env)
  await checkServer(env)
  // The product's modules are loaded while its database starts.
  const [ownerUrl, { createApp }, { ownerSetupLink }] = await Promise.all([
    env.DATABASE_URL ?? startDatabase(env, log, ends),
    import('./app.ts'),
    import('./features.ts'),
  ])
  const urls = databaseUrls(ownerUrl, env, secrets)
  const steps: number[] = []
  await migrate(urls, { secrets, rolePrefix: env.DB_ROLE_PREFIX, onStep: ({ ms }) => void steps.push(ms) })
  const seconds = Math.ceil(steps.reduce((sum, ms) => sum + ms, 0) / 1000)
  if (steps.length > 0) print(`  Migrações aplicadas: ${steps.length}, em ${seconds} s`)
  const isApart = env.ROLES.join() === 'channels'
  const startHost = () => startHostProcess(env, ownerUrl)
  const app = await createApp({ env, urls, secrets, log, ...(isApart ? {} : { startHost }) })
  ends.push(() => app.close())
  startWatchdog(env.LOOP_LIMIT_MS, log)
  if (env.DEMO) {
    const { seedDemo } = await import('#db/seed.ts')
    if (await seedDemo(app.platform)) print('  Demonstração criada: entre com admin@demo.test e a senha Demo!2026')
  }
  const address = await app.listen()
  // From here on, npm start restarts this process if it ends unexpectedly.
  process.send?.('up')
  const shown = env.PUBLIC_URL ?? address
  const link = await ownerSetupLink(app.platform, shown)
  print(`\nGuichê no ar: ${shown}`)
  if (link) print(`Crie a conta do dono por este link (uma vez, válido por 1 hora):\n${link}`)
}

async function startDatabase(env: Env, log: Log, ends: (() => unknown)[]): Promise<string> {
  ends.push(lockInstance(env.DATA_DIR))
  const embedded = await startEmbedded({
    dataDir: env.DATA_DIR,
    log: { info: (line) => print(`  ${line}`), error: (line) => log.error(line) },
    onCrash: (error) => {
      console.error(error.message)
      process.exit(1)
    },
  })
  ends.push(() => embedded.stop())
  return embedded.url
}

function refuse(problem: string): never {
  console.error(`\nO Guichê não pôde iniciar: ${problem}`)
  process.exit(1)
}

let env: Env
try {
  env = readEnv()
} catch (error) {
  refuse(toError(error).message)
}
await main(env)
