import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const api = [
  'src/**/*.api.test.ts',
  'src/providers/**/adapter.test.ts',
  'test/**/*.test.ts',
  'db/**/*.test.ts',
  'bench/**/*.test.ts',
]
const lifecycle = ['test/lifecycle/**/*.test.ts']
const faults = 'test/database-faults.test.ts'
const wide = ['**/*.wide.test.ts']
const postgres = ['test/setup/postgres.ts']
const built = ['test/setup/built.mjs']
// Tests that break processes and databases take minutes and do not depend on the date: omitted on other days (`npm test --
// --clock=…`).
const dateless = ['test/crash/**', faults]
const hostile = ['test/attacks/bodies.test.ts', 'test/attacks/sockets.test.ts']
// Tests that take minutes: not part of a commit's run, but of the rounds `long`, `attacks` and `crash`.
const long = [
  'src/features/connections/gateways.api.test.ts',
  'src/features/connections/proxies.api.test.ts',
  'src/features/contacts/imports-stopped.api.test.ts',
  'src/providers/channels/telegram/telegram.api.test.ts',
  'src/providers/channels/webmail/webmail.api.test.ts',
  'src/server/db/poolers.api.test.ts',
  ...hostile,
  'test/attacks/extremes.test.ts',
  // Compares times, which other work on the machine disturbs.
  'test/attacks/growth.test.ts',
  'test/backup.test.ts',
  'test/missed.test.ts',
  'test/pools.test.ts',
]
// Channels of the tests are there before anything asks which there are.
const channels = ['test/channels/register.ts']

// One zone and one language on every machine; no test may depend on the machine's own.
const env = {
  TZ: 'America/Sao_Paulo',
  LANG: 'pt_BR.UTF-8',
  LC_ALL: 'pt_BR.UTF-8',
  // Products that tests start as processes take their sources translated, as npm start does: half the time of a start.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'node'),
}
Object.assign(process.env, env)

/**
 * `unit` needs nothing, `api` gets one PostgreSQL for the whole run (`inject('postgresUrl')`), `lifecycle` starts
 * products of its own; the others are the rounds of `npm run test:wide`, which take longer than a commit may wait for.
 * Files of `unit` and `api` share their modules, which saves a third of the time.
 */
export default defineConfig({
  test: {
    env,
    // One more than there are cores: what breaks processes and databases waits most of its time.
    maxWorkers: 3,
    retry: process.env.CI ? 1 : 0,
    // A machine may be three times as slow as another; a failed test names the condition that it waited for.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', isolate: false, include: ['src/**/*.test.{ts,tsx}'], exclude: [...api, ...wide] },
      },
      {
        extends: true,
        test: {
          name: 'api',
          isolate: false,
          include: api,
          exclude: [...lifecycle, ...wide, ...(process.env.TEST_CLOCK_SHIFT_MS ? dateless : [...long, faults])],
          globalSetup: postgres,
          setupFiles: channels,
        },
      },
      {
        extends: true,
        test: {
          name: 'wide-unit',
          isolate: false,
          env: { TEST_BREADTH: 'wide' },
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [...api, ...wide],
        },
      },
      {
        extends: true,
        test: {
          name: 'lifecycle',
          include: lifecycle,
          exclude: wide,
          globalSetup: built,
          testTimeout: 120_000,
        },
      },
      round('chaos', { include: ['test/chaos/*.wide.test.ts'] }),
      round('crash', { include: ['test/crash/*.wide.test.ts', faults] }),
      round('attacks', {
        include: ['test/attacks/*.test.ts', 'test/{isolation,masking,security}.test.ts'],
        exclude: hostile,
      }),
      round('long', {
        include: [...wide, ...long, 'test/explain*.test.ts'],
        exclude: ['node_modules/**', 'test/{chaos,crash}/**', 'test/attacks/{extremes.test,*.wide.test}.ts'],
      }),
      // The same tests in their whole breadth, on other days and with pools of few clients (`scripts/rounds.mjs`): what asks
      // for a second client while it has one waits for itself.
      {
        extends: true,
        test: {
          name: 'wide-api',
          isolate: false,
          env: { TEST_BREADTH: 'wide' },
          include: api,
          // Tests that kill processes take minutes, and set the size of their pools themselves.
          exclude: [...lifecycle, ...wide, ...dateless],
          globalSetup: postgres,
          setupFiles: channels,
        },
      },
    ],
  },
})

/** A round of `npm run test:wide`. */
function round(name: string, files: { include: string[]; exclude?: string[] }) {
  return {
    extends: true as const,
    test: {
      name: `wide-${name}`,
      ...files,
      env: { TEST_BREADTH: 'wide' },
      testTimeout: 600_000,
      globalSetup: [...postgres, ...built],
      setupFiles: channels,
    },
  }
}
