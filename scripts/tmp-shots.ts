import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { seedDemo } from '#db/seed.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { sitDown } from '#test/browser/pages/person.ts'
import { demoPeople } from '#test/browser/pages/product.ts'
import { createDatabase, startProduct } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'
import { make } from '#test/make.ts'

const out = '/tmp/identity'
mkdirSync(out, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'guiche-shots-'))
const postgres = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error }, fsync: false })
const product = await startProduct(await createDatabase(postgres.url))
const address = product.address.replace('127.0.0.1', 'localhost')
await seedDemo(product.platform)
const browser = await chromium.launch(await findChromium())
const m = make(product.platform)
const person = demoPeople.admin
try {
  const { tenant_id: tenantId, contactId, other } = await product.platform.db.asPlatform(async (db) => {
    const c = await db.selectFrom('tickets as t').innerJoin('contacts as c', 'c.id', 't.contact_id').select(['c.tenant_id', 'c.id', 'c.email']).where('c.name', '=', 'Marlene Figueiredo').where('t.status', '<>', 'closed').executeTakeFirstOrThrow()
    const o = await db.selectFrom('tickets as t').innerJoin('contacts as c', 'c.id', 't.contact_id').select('c.id').where('t.status', '<>', 'closed').where('c.id', '<>', c.id).where('c.is_group', '=', false).executeTakeFirstOrThrow()
    await db.updateTable('contacts').set({ email: 'marlene@padariasol.com.br' }).where('id', 'in', [c.id, o.id]).execute()
    return { tenant_id: c.tenant_id, contactId: c.id, other: o.id }
  })
  const born = { birthday_date: '1968-03-14', name: 'José Carlos Aparecido de Oliveira Filho' }
  await m.contact(tenantId, { ...born, number: '5519998120001' })
  await m.contact(tenantId, { ...born, number: '5519998120002' })
  const looks = [
    ['1440-light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
    ['1440-dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
    ['390-light', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'light' }],
    ['390-dark', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
  ] as const
  let merged = 0
  for (const [name, look] of looks) {
    const { page, context } = await sitDown(browser, { address }, person, { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...look } as never)
    const shot = async (what: string) => { await page.waitForTimeout(1200); await page.screenshot({ path: `${out}/${what}-${name}.png` }) }
    await page.goto(`${address}/contatos`)
    await page.getByRole('button', { name: 'Possíveis duplicados' }).click()
    await page.getByRole('button', { name: 'Comparar e mesclar' }).first().waitFor()
    await shot('duplicates')
    await page.getByRole('button', { name: 'Comparar e mesclar' }).first().click()
    await page.getByRole('button', { name: 'Mesclar', exact: true }).waitFor()
    await shot('preview')
    await page.getByRole('button', { name: 'Mesclar', exact: true }).click()
    merged = contactId
    await page.goto(`${address}/contatos?id=${Math.min(contactId, other)}`)
    await page.getByRole('tab', { name: 'Identidades' }).click()
    await page.getByRole('button', { name: 'Mesclar com outro contato…' }).waitFor()
    await shot('identities')
    await page.getByRole('button', { name: 'Mesclar com outro contato…' }).click()
    await shot('choose')
    await page.keyboard.press('Escape')
    const t = await product.platform.db.asPlatform((db) => db.selectFrom('tickets').select('id').where('contact_id', '=', Math.min(contactId, other)).where('status', '<>', 'closed').executeTakeFirst())
    if (t) { await page.goto(`${address}/atendimento/${t.id}`); await shot('composer') }
    await page.goto(`${address}/contatos?id=${Math.min(contactId, other)}`)
    await page.getByRole('tab', { name: 'Identidades' }).click()
    await page.getByRole('button', { name: 'Desfazer' }).first().click()
    await page.getByText('desfeita em').first().waitFor()
    await shot('undone')
    await context.close()
  }
} finally {
  await browser.close()
  await product.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
