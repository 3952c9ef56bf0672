import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '#test/setup/chromium.ts'

/** One PostgreSQL serves the run; each worker has products of its own on it, made by the fixtures of `test/browser`. */
export default defineConfig({
  testDir: 'test/browser',
  outputDir: 'test-results',
  globalSetup: './test/setup/browser.ts',
  workers: availableParallelism(),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // What needed the repetition is named in the closing lines.
  retries: process.env.CI ? 1 : 0,
  // Three times what the longest takes on a machine with nothing else to do.
  timeout: 120_000,
  // A picture may differ by what drawing letters leaves to chance, not by a line around a word.
  expect: { timeout: 20_000, toHaveScreenshot: { maxDiffPixels: 40, animations: 'disabled', caret: 'hide' } },
  snapshotPathTemplate: 'test/pictures/{arg}{ext}',
  reporter: 'list',
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // Every test has a browser of its own, which would keep the whole interface anew; the tests about it let it in.
    serviceWorkers: 'block',
    launchOptions: await findChromium(),
    screenshot: 'only-on-failure',
    // Filming every page and copying it after every step took two fifths of the processors' time; ask for it with
    // `npx playwright test --trace=on` where a picture of the failure is not enough.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
  },
  projects: [{ name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } }],
})
