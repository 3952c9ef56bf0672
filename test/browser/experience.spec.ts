import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

type Counted = { clicks: number; keys: number }

/** Counts presses of the mouse and of command keys; typed text is not counted. */
async function countPresses(page: Page): Promise<() => Promise<Counted>> {
  const counted = { clicks: 0, keys: 0 }
  await page.exposeFunction('notePress', (what: keyof Counted) => {
    counted[what] += 1
  })
  await page.addInitScript(() => {
    const { notePress } = window as unknown as { notePress: (what: string) => void }
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && notePress('clicks'), true)
    addEventListener(
      'keydown',
      ({ isTrusted, key, target, ctrlKey }) => {
        const writes = (target as HTMLElement).matches?.('input, textarea, [contenteditable]')
        if (isTrusted && !/^(Control|Shift|Alt)$/.test(key) && !(writes && key.length === 1 && !ctrlKey))
          notePress('keys')
      },
      true,
    )
  })
  return async () => {
    // The last press is reported once the page responds.
    await page.evaluate(() => 0)
    const now = { ...counted }
    Object.assign(counted, { clicks: 0, keys: 0 })
    return now
  }
}

/** Returns the table of docs/experience.md: the present counts of each task. */
const promised = () =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'experience.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, task, , now] = line.split('|').map((cell) => cell.trim())
      return /^\d+$/.test(number ?? '') ? [`${task}: ${now}`] : []
    })

const inWords = ({ clicks, keys }: Counted): string =>
  [
    ...(clicks > 0 ? [clicks === 1 ? '1 click' : `${clicks} clicks`] : []),
    ...(keys > 0 ? [keys === 1 ? '1 key' : `${keys} keys`] : []),
  ].join(', ')

test('an agent’s 26 tasks take the clicks and keys that docs/experience.md says', {
  tag: ['@attendance', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { people, hear, talking, ask } = await shop(product)
  await ask('POST', '/tags', { tag: 'VIP', color: '#6E2A5C', isActive: true })
  await ask('POST', '/fast-replies', { key: 'ola', title: 'Olá', message: 'Olá! Como posso ajudar?' })
  await ask('POST', '/fast-replies', { key: 'mail', title: 'E-mail', message: 'Seu e-mail é {{email}}?' })
  for (const name of ['Lena', 'Nilo']) await talking(name, people.ana)
  for (const name of ['Davi', 'Elsa']) await talking(name, people.ana)
  await hear('Marlene', 'Bom dia!')

  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  page.setDefaultTimeout(15_000)
  const presses = await countPresses(page)
  const measured: string[] = []
  const task = (name: string, act: () => Promise<void>) =>
    test.step(name, async () => {
      await presses()
      await act()
      measured.push(`${name}: ${inWords(await presses())}`)
    })
  const { tab, row, open, conversation, bubble, field, note, messages } = attendance(page)
  const dialog = page.getByRole('dialog')
  // Letters are commands a second after the last one that was text.
  const pause = () => page.waitForTimeout(1100)
  const press = async (key: string) => {
    await pause()
    await page.keyboard.press(key)
  }
  // After a reply the focus is in the composer: leave it first.
  const command = async (key: string) => {
    await field.or(note).first().focus()
    await page.keyboard.press('Escape')
    await press(key)
  }
  await page.goto('/atendimento')
  await expect(row('Lena')).toBeVisible()

  await task('Open a conversation that waits', async () => {
    await tab('Pendentes').click()
    await open('Marlene')
    await expect(bubble('Bom dia!')).toBeVisible()
  })
  await task('Take it', async () => {
    await press('a')
    await expect(field).toBeFocused()
  })
  await task('Answer', async () => {
    await page.keyboard.type('Oi, Marlene')
    await page.keyboard.press('Enter')
    await expect(bubble('Oi, Marlene')).toBeVisible()
  })
  await task('Answer with a quick reply', async () => {
    await page.keyboard.type('/ola')
    await expect(page.getByRole('option', { name: /ola/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(/Como posso ajudar/)
    await page.keyboard.press('Enter')
    await expect(messages.getByText('Olá! Como posso ajudar?')).toBeVisible()
  })
  await task('Answer with a quick reply that lacks a value', async () => {
    await page.keyboard.type('/mail')
    await expect(page.getByRole('option', { name: /mail/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('lena@loja.com')
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(/lena@loja/)
    await expect(field).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(messages.getByText(/Seu e-mail é/)).toBeVisible()
  })
  await task('Edit the last message', async () => {
    await page.keyboard.press('ArrowUp')
    const text = page.getByRole('textbox', { name: 'Texto' })
    await text.fill('Seu e-mail ainda é este?')
    await page.keyboard.press('Enter')
    await expect(text).toHaveCount(0)
  })
  await task('React to a message', async () => {
    await bubble('Bom dia!').hover()
    await page.getByRole('group', { name: 'Reagir' }).getByRole('button', { name: 'Reagir com 👍' }).click()
    await expect(messages.getByRole('img', { name: 'A equipe reagiu com 👍' })).toBeVisible()
  })
  await task('Quote a message', async () => {
    await bubble('Bom dia!').hover()
    await bubble('Bom dia!').getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: /^Responder$/ }).click()
    await expect(field).toBeFocused()
    await page.keyboard.type('Bom dia mesmo')
    await page.keyboard.press('Enter')
    await expect(messages.getByText('Bom dia mesmo')).toBeVisible()
  })
  await task('Forward a message to two people', async () => {
    await bubble('Oi, Marlene').hover()
    await bubble('Oi, Marlene').getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: /^Encaminhar$/ }).click()
    await dialog.getByText('Lena').first().click()
    await dialog.getByText('Nilo').first().click()
    await dialog.getByRole('button', { name: 'Encaminhar para 2' }).click()
    await expect(toast(page, /encaminhada/i)).toBeVisible()
  })
  await task('Write an internal note', async () => {
    await command('n')
    await expect(note).toBeFocused()
    await page.keyboard.type('Cliente antiga')
    await page.keyboard.press('Enter')
    await expect(messages.getByText('Cliente antiga')).toBeVisible()
  })
  await task('Call a colleague in a note', async () => {
    await page.keyboard.type('@Bia')
    await expect(page.getByRole('option', { name: /Bia Rocha/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.type('veja isto')
    await page.keyboard.press('Enter')
    await expect(messages.getByText('veja isto')).toBeVisible()
  })
  await task('Tag it', async () => {
    await page.getByRole('button', { name: 'Adicionar etiqueta' }).first().click()
    await expect(page.getByLabel('Buscar etiqueta')).toBeFocused()
    await page.keyboard.type('vi')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary').getByText('VIP').first()).toBeVisible()
  })
  await page.getByRole('button', { name: 'Fechar as etiquetas' }).click()
  await conversation.getByText('Responder', { exact: true }).first().click()
  await task('Schedule a message', async () => {
    await field.fill('Até amanhã')
    await conversation.getByRole('button', { name: 'Mais formas de enviar' }).click()
    await page.getByRole('menuitem', { name: 'Agendar envio' }).click()
    await dialog.getByRole('button', { name: 'Em 30 minutos' }).click()
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await expect(toast(page, /^Agendada para/)).toBeVisible()
  })
  await task('Mark it as unread', async () => {
    await command('u')
    await expect(row('Marlene').getByRole('link', { name: /não lida/ })).toBeAttached()
  })
  await open('Elsa')
  await expect(conversation).toHaveAccessibleName(/Elsa/)
  await task('Go to the next conversation', async () => {
    await command('j')
    await expect(conversation).not.toHaveAccessibleName(/Elsa/)
  })
  await expect(field).toBeVisible()
  await task('Snooze it', async () => {
    await command('h')
    await dialog.getByRole('button', { name: /Amanhã cedo/ }).click()
    await expect(toast(page, /adiado até/)).toBeVisible()
  })
  await open('Elsa')
  await expect(conversation).toHaveAccessibleName(/Elsa/)
  await task('Transfer it to a colleague', async () => {
    await command('t')
    await expect(dialog.getByRole('combobox').first()).toBeFocused()
    await dialog.getByRole('combobox', { name: 'Pessoa' }).click()
    await page.keyboard.type('Bia')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await expect(toast(page, 'Atendimento transferido para Bia Rocha')).toBeVisible()
  })
  await open('Lena')
  await expect(conversation).toHaveAccessibleName(/Lena/)
  await task('Resolve it', async () => {
    await command('e')
    await expect(toast(page, 'Atendimento de Lena resolvido')).toBeVisible()
  })
  await tab('Resolvidos').click()
  await open('Lena')
  await task('Reopen it', async () => {
    await conversation.getByRole('button', { name: 'Reabrir' }).last().click()
    await expect(field).toBeFocused()
  })
  await tab('Abertos').click()
  await task('Find a conversation', async () => {
    await command('/')
    await page.keyboard.type('Nilo')
    await expect(row('Nilo')).toBeVisible()
    await open('Nilo')
    await expect(conversation).toHaveAccessibleName(/Nilo/)
  })
  await page.getByRole('button', { name: 'Limpar busca' }).click()
  await task('Write to a number that is no contact yet', async () => {
    await page.getByRole('button', { name: 'Iniciar conversa', exact: true }).click()
    await dialog.getByRole('textbox').fill('11987654321')
    await expect(dialog.getByText(/Escrever para este número/)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: /Balcão/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
  })
  await task('Filter by queue', async () => {
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await dialog.getByRole('combobox', { name: 'Filas' }).click()
    await page.keyboard.type('Ven')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Ver atendimentos' }).click()
    await expect(page.getByRole('button', { name: 'Tirar o filtro Fila: Vendas' })).toBeVisible()
  })
  await task('Filter by day', async () => {
    await page.getByRole('button', { name: /^Filtros/ }).click()
    const today = new Date().toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' })
    await dialog.getByLabel('Última mensagem desde').fill(today)
    await dialog.getByRole('button', { name: 'Ver atendimentos' }).click()
    await expect(page.getByRole('button', { name: /Tirar o filtro Desde/ })).toBeVisible()
  })
  await task('Mark all of a list as read', async () => {
    await page.getByRole('button', { name: 'Mais opções da lista' }).click()
    await page.getByRole('menuitem', { name: 'Marcar tudo como lido' }).click()
    await expect(toast(page, /marcado|já foi lido/)).toBeVisible()
  })
  await task('Resolve several', async () => {
    await row('Lena').getByRole('checkbox').click()
    await row('Nilo').getByRole('checkbox').click()
    await page
      .getByRole('toolbar', { name: 'Ações para os selecionados' })
      .getByRole('button', { name: 'Resolver' })
      .click()
    await expect(toast(page, '2 atendimentos resolvidos')).toBeVisible()
  })
  await open('Marlene')
  await expect(field).toBeFocused()
  await task('Leave the conversation', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(conversation).toHaveCount(0)
  })
  expect(measured).toHaveLength(26)
  expect(measured).toEqual(promised())
  expect(complaints).toEqual([])
  await context.close()
})
