import { expect, type Page, test } from '@playwright/test'
import { createServer, type ViteDevServer } from 'vite'
import { packagedChromium } from '#test/setup/chromium.ts'
import { eachOpening } from './pages/openings.ts'
import { watch } from './pages/person.ts'

// Another browser renders letters differently, and this one by their sub-pixel position, unless configured not to.
const chromium = await packagedChromium()
const steady = ['--font-render-hinting=none', '--disable-font-subpixel-positioning', '--disable-lcd-text']
test.use({ launchOptions: { ...chromium, args: [...chromium.args, ...steady] } })

let server: ViteDevServer
test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await createServer({
    configFile: 'vite.config.ts',
    cacheDir: `.cache/vite-${test.info().workerIndex}`,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  })
  await server.listen()
})
test.afterAll(() => server.close())

/** The gallery of the components as it begins, with its clock stopped. */
async function open(page: Page): Promise<string[]> {
  const complaints = watch(page)
  await page.clock.setFixedTime(new Date('2026-03-04T15:00:00-03:00'))
  await page.goto(`${server.resolvedUrls!.local[0]}ui`)
  await expect(page.getByRole('heading', { name: 'Linguagem visual' })).toBeVisible({ timeout: 60_000 })
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  return complaints
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 390])
    test.describe(`${width}-${colorScheme}`, () => {
      test.use({
        colorScheme,
        viewport: { width, height: 900 },
        hasTouch: width === 390,
        reducedMotion: 'reduce',
        actionTimeout: 20_000,
      })
      const named = (name: string) => {
        const plain = name.normalize('NFD').replace(/\p{M}|mantine-\w+/gu, '')
        return `${plain.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${width}-${colorScheme}.png`
      }

      test('the components look as they were approved, at rest, refusing and opened @wide', async ({ page }) => {
        test.setTimeout(300_000)
        const complaints = await open(page)
        const bar = page.getByRole('toolbar', { name: 'Ações para os selecionados' })
        await expect.soft(bar).toHaveScreenshot(named('bar'))
        // The bar floats over the middle of the window, which varies in a full-page picture.
        await bar.evaluate((one) => one.style.setProperty('opacity', '0'))
        await expect.soft(page).toHaveScreenshot(named('gallery'), { fullPage: true })
        await bar.evaluate((one) => one.style.removeProperty('opacity'))
        let count = 0
        await eachOpening(
          page,
          async (name, layer) => {
            await expect.soft(layer).toHaveScreenshot(named(`open ${++count} ${name}`))
          },
          [],
        )
        expect(count).toBeGreaterThan(5)

        for (const name of ['Fila', 'Período', 'Mais ações']) {
          const list = page.locator(':is(.mantine-Popover-dropdown, [role=menu]):visible')
          // A closing layer may take the first press.
          await expect(async () => {
            const button = page.getByRole('button', { name: new RegExp(`^${name}`) })
            await button.last().click()
            await expect(list).toBeVisible({ timeout: 3000 })
          }).toPass()
          await expect.soft(list).toHaveScreenshot(named(`list ${name}`))
          await page.keyboard.press('Escape')
          await expect(list).toHaveCount(0)
        }

        await page.getByRole('button', { name: 'Confirmar' }).click()
        await expect.soft(page.getByRole('dialog')).toHaveScreenshot(named('question'))
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)

        await page.getByRole('button', { name: 'Novo contato' }).click()
        const drawer = page.getByRole('dialog', { name: 'Marlene Figueiredo' })
        await drawer.getByRole('textbox', { name: /^Nome/ }).fill('Marlene')
        await expect.soft(drawer).toHaveScreenshot(named('drawer changed'))
        await drawer.getByRole('button', { name: 'Cancelar' }).click()
        const question = page.getByRole('dialog').filter({ hasText: 'Continuar editando' })
        await expect.soft(question).toHaveScreenshot(named('drawer question'))
        await question.getByRole('button', { name: 'Descartar' }).click()
        await expect(page.getByRole('dialog')).toHaveCount(0)

        for (const tone of ['pos', 'warn', 'neg', 'info']) {
          await page.getByRole('button', { name: `Aviso ${tone}` }).click()
          const toast = page.getByRole('region', { name: 'Avisos' }).getByRole('group')
          await toast.hover()
          await expect.soft(toast).toHaveScreenshot(named(`toast ${tone}`))
          await page.getByRole('button', { name: 'Fechar aviso' }).click()
          await expect(toast).toHaveCount(0)
        }
        expect(complaints).toEqual([])
      })
    })
