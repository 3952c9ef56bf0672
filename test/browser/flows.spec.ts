import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { confirm, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const panel = (page: Page) => page.getByRole('complementary').last()
const step = (page: Page, name: string) =>
  page.locator('.react-flow__node-step').filter({ has: page.getByText(name, { exact: true }) })
const choose = async (page: Page, label: string, option: string) => {
  await panel(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const saved = (page: Page) => expect(page.getByText(/^Salvo às/)).toBeVisible()
const add = async (page: Page, interaction: string) => {
  await panel(page).getByRole('button', { name: 'Adicionar interação' }).click()
  await page.getByRole('menuitem', { name: interaction, exact: true }).click()
}
const say = async (page: Page, text: string) => {
  await add(page, 'Enviar mensagem')
  await panel(page).getByRole('textbox', { name: 'Mensagem' }).fill(text)
}

/** Opens the condition of whatever is answered, of the step in the panel. */
async function openAnyAnswer(page: Page): Promise<void> {
  await panel(page)
    .getByRole('tab', { name: /Condições/ })
    .click()
  await panel(page)
    .getByRole('button', { name: /^Qualquer resposta/ })
    .click()
}

/** Returns the distance between the drawn end of the last way and the port of the step that it leads to. */
const gapTo = (page: Page, name: string) =>
  step(page, name)
    .locator('.react-flow__handle.target')
    .evaluate((port) => {
      const path = Array.from(document.querySelectorAll<SVGPathElement>('.react-flow__edge-path')).at(-1)!
      const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM()!)
      const { left, top, height } = port.getBoundingClientRect()
      return Math.hypot(end.x - left, end.y - top - height / 2)
    })

/** Drags a closed step: it and its way must follow the pointer; where it is dropped it stays, and opens. */
async function dragAbout(page: Page, name: string): Promise<void> {
  const at = async () => {
    const { x, y } = (await step(page, name).boundingBox())!
    return [Math.round(x), Math.round(y)] as const
  }
  const [left, top] = await at()
  await page.mouse.move(left + 70, top + 14)
  await page.mouse.down()
  for (const [right, down] of [
    [20, 10],
    [-30, 40],
  ] as const) {
    await page.mouse.move(left + 70 + right, top + 14 + down, { steps: 4 })
    // The pointer has to move a little before anything follows it.
    const gap = async () => Math.hypot((await at())[0] - left - right, (await at())[1] - top - down)
    await expect.poll(gap).toBeLessThan(7)
    expect(await gapTo(page, name)).toBeLessThan(3)
  }
  const held = await at()
  const opened = panel(page).getByRole('heading', { name })
  await expect(opened).toHaveCount(0)
  await page.mouse.up()
  await expect(opened).toBeVisible()
  await page.mouse.move(left - 200, top)
  expect(await at()).toEqual(held)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(at).toEqual([left, top])
  expect(await gapTo(page, name)).toBeLessThan(3)
}

test('a chatbot is drawn, refused with its errors, published, met by a customer, changed by two at once and read on a phone', {
  tag: ['@flows', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { ask, admin, made, tenantId } = await company(product)
  await made.queue(tenantId, { queue: 'Vendas' })
  const { page, complaints, context } = await sitDown(browser, product, admin, { reducedMotion: 'reduce' })

  // A customer's phone, whose channel the chatbot will attend.
  await page.goto('/laboratorio')
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  await expect(page.getByRole('region', { name: /^Telefone de/ })).toBeVisible()

  await page.goto('/chat-flow')
  await page.getByRole('button', { name: 'Criar o primeiro' }).click()
  await field(page, 'Nome').fill('Recepção')
  await expectAccessible(page)
  await drawer(page)
    .getByRole('button', { name: /^Salvar/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Recepção' })).toBeVisible()
  const id = Number(new URL(page.url()).searchParams.get('id'))

  // The first step says something; from its port a second one is drawn.
  await step(page, 'Boas vindas!').click()
  await say(page, 'Olá! Digite 1 para vendas.')
  await expect(step(page, 'Boas vindas!')).toContainText('Digite 1 para vendas')
  const port = (await step(page, 'Boas vindas!').locator('.react-flow__handle.source').boundingBox())!
  await page.mouse.move(port.x + 5, port.y + 5)
  await page.mouse.down()
  await page.mouse.move(port.x - 160, port.y + 120, { steps: 4 })
  await page.mouse.up()
  await expect(panel(page).getByRole('heading', { name: 'Etapa 2' })).toBeVisible()
  await expect(page.locator('.react-flow__edge')).toHaveCount(2)
  await say(page, 'Um instante, por favor.')
  // A press that slips by a hair is no way to elsewhere, and opens the step.
  const { x, y } = (await step(page, 'Boas vindas!').boundingBox())!
  await page.mouse.move(x + 70, y + 14)
  await page.mouse.down()
  await page.mouse.move(x + 73, y + 14)
  await page.mouse.up()
  await expect(panel(page).getByRole('heading', { name: 'Boas vindas!' })).toBeVisible()
  await dragAbout(page, 'Etapa 2')
  await add(page, 'Agenda')
  await choose(page, 'Quando', 'Em uma data')
  await expect(panel(page).getByLabel('Dia e horário')).toBeVisible()
  await choose(page, 'Quando', 'Amanhã, no mesmo horário')
  await expect(panel(page).getByLabel('Dia e horário')).toHaveCount(0)
  // Selected text is formatted and unformatted; an emoji is inserted at the caret.
  const later = panel(page).getByRole('textbox', { name: 'Mensagem agendada' })
  await later.fill('Ficou alguma dúvida?')
  await later.selectText()
  await page.keyboard.press('Control+b')
  await expect(later).toHaveValue('*Ficou alguma dúvida?*')
  await panel(page).getByRole('button', { name: 'Negrito em Mensagem agendada' }).click()
  await expect(later).toHaveValue('Ficou alguma dúvida?')
  await later.press('End')
  await panel(page).getByRole('button', { name: 'Emoji em Mensagem agendada' }).click()
  await page.getByPlaceholder('Buscar emoji').fill('foguete')
  await page.getByRole('gridcell', { name: 'foguete', exact: true }).click()
  await expect(later).toHaveValue('Ficou alguma dúvida?🚀')
  await expectAccessible(page)
  await panel(page)
    .getByRole('tab', { name: /Condições/ })
    .click()
  await panel(page).getByRole('button', { name: 'Adicionar condição' }).click()
  await choose(page, 'Então', 'Mandar para a fila')
  await expectAccessible(page)

  // A message is dragged behind the scheduled one, and back.
  await panel(page)
    .getByRole('tab', { name: /Interações/ })
    .click()
  const items = panel(page).getByRole('list', { name: 'Interações' }).locator('> li')
  const [above, below] = [await items.nth(0).boundingBox(), await items.nth(1).boundingBox()]
  await items.nth(0).locator('[data-grip]').hover()
  await page.mouse.down()
  await page.mouse.move(above!.x + 16, below!.y + below!.height / 2, { steps: 4 })
  await page.mouse.move(above!.x + 16, below!.y + below!.height - 8, { steps: 2 })
  await page.mouse.up()
  await expect(items).toContainText([/^Agenda/, /^Enviar mensagem/])
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(items).toContainText([/^Enviar mensagem/, /^Agenda/])

  // The number of text messages is counted while writing.
  await add(page, 'SMS')
  await panel(page).getByRole('textbox', { name: 'SMS' }).fill('Até já, senão amanhã.')
  await expect(panel(page).getByText('1 SMS · cabem mais 49 · sem acentos')).toHaveCount(0)
  await expect(panel(page).getByText('1 SMS · cabem mais 49')).toBeVisible()
  await expect(async () => {
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await expect(items).toHaveCount(2, { timeout: 300 })
  }).toPass()

  // By keyboard from the canvas into the panel: the first condition becomes an answer.
  await step(page, 'Boas vindas!').focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeFocused()
  await expect(panel(page).getByRole('heading', { name: 'Boas vindas!' })).toBeVisible()
  await openAnyAnswer(page)
  await choose(page, 'Quando', 'A resposta')
  await panel(page).getByRole('textbox', { name: 'Valores' }).fill('1')
  await saved(page)

  // An error prevents publishing, and leads to its place.
  await expect(page.getByRole('button', { name: '1 erro' })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  const refusal = 'O fluxo tem erros, ou casos que não passam: ainda não pode ser publicado.'
  await expect(panel(page).getByRole('alert')).toHaveText(refusal)
  await expectAccessible(page)
  await panel(page)
    .getByRole('button', { name: /leva a uma fila que não existe/ })
    .click()
  await expect(panel(page).getByRole('heading', { name: 'Etapa 2' })).toBeVisible()
  await openAnyAnswer(page)
  await choose(page, 'Fila', 'Vendas')
  await expect(page.locator('.react-flow__node-end')).toContainText('Fila Vendas')
  await page.getByRole('button', { name: 'Sem problemas' }).waitFor()

  // Undone and done again; a copy comes and goes by the keyboard.
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.locator('.react-flow__node-end')).toContainText('falta escolher')
  await page.getByRole('button', { name: 'Refazer' }).click()
  await expect(page.locator('.react-flow__node-end')).toContainText('Fila Vendas')
  await panel(page).getByRole('button', { name: 'Duplicar a etapa' }).click()
  await expect(page.locator('.react-flow__node-step')).toHaveCount(3)
  await page.locator('.react-flow__node-step.selected').focus()
  await page.keyboard.press('Delete')
  await expect(page.locator('.react-flow__node-step')).toHaveCount(2)
  await page.getByRole('button', { name: 'Organizar as etapas' }).click()
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(drawer(page).getByRole('combobox', { name: 'Canais' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Versão 1 publicada')).toBeVisible()
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.startsWith('422')))

  // The flow attends the channel of the phone, whose customer receives its messages.
  await page.getByRole('link', { name: 'Voltar aos chatbots' }).click()
  await menuOf(page, 'Recepção', 'Canais que o usam…')
  await drawer(page).getByRole('combobox', { name: 'Canais' }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Canais salvos')).toBeVisible()
  await expect(row(page, 'Recepção')).toContainText('Versão 1')
  await expectAccessible(page)
  await page.goto('/laboratorio')
  const phone = page.getByRole('region', { name: /^Telefone de/ })
  for (const [text, answer] of [
    ['Oi', 'Olá! Digite 1 para vendas.'],
    ['1', 'Um instante, por favor.'],
  ] as const) {
    await page.getByRole('textbox', { name: /^Mensagem de/ }).fill(text)
    await page.keyboard.press('Enter')
    await expect(phone.getByText(answer)).toBeVisible()
  }

  // A message that the chatbot scheduled for tomorrow is listed among those of people.
  type Waiting = { messages: { body: string }[] }
  expect((await ask<Waiting>('GET', '/scheduleMessages')).messages).toMatchObject([{ body: 'Ficou alguma dúvida?🚀' }])

  // A colleague's saved change appears at once; saving at the same time loses neither change.
  await page.goto(`/chat-flow/builder?id=${id}`)
  type Flow = { flow: { nodeList: { id: string; name: string }[] }; revision: number }
  const stored = (flowId = id) => ask<Flow>('GET', `/chat-flow/${flowId}`)
  const namesIn = async (flowId = id) => (await stored(flowId)).flow.nodeList.map(({ name }) => name)
  const second = (await stored()).flow.nodeList.find(({ name }) => name === 'Etapa 2')!.id
  const renamed = async (name: string) => {
    const { flow, revision } = await stored()
    const nodeList = flow.nodeList.map((one) => (one.id === second ? { ...one, name } : one))
    await ask('PUT', `/chat-flow/${id}`, { flow: { ...flow, nodeList }, revision })
  }
  await renamed('Caixa')
  await step(page, 'Caixa').click()
  await panel(page).getByRole('tab', { name: 'Ajustes' }).click()
  const ownName = panel(page).getByRole('textbox', { name: 'Nome da etapa' })
  const overtaken = async (mine: string, theirs: string) => {
    await page.route(
      `**/api/chat-flow/${id}`,
      async (route) => {
        await renamed(theirs)
        await route.continue()
      },
      { times: 1 },
    )
    await ownName.fill(mine)
    await expect(drawer(page)).toContainText('O fluxo foi alterado por outra pessoa')
  }
  await overtaken('Comprar', 'Balcão')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Usar a versão da outra pessoa' }).click()
  await expect(step(page, 'Balcão')).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(step(page, 'Comprar')).toBeVisible()
  await saved(page)
  expect(await namesIn()).toContain('Comprar')
  await overtaken('Vitrine', 'Guichê 2')
  await page.getByRole('button', { name: 'Salvar o meu como cópia' }).click()
  await expect(toast(page, 'O seu rascunho está em “Recepção (minha cópia)”')).toBeVisible()
  await expect(step(page, 'Guichê 2')).toBeVisible()
  const { chatFlow } = await ask<{ chatFlow: { id: number; isActive: boolean }[] }>('GET', '/chat-flow')
  const copy = chatFlow.find((one) => one.id !== id)!
  expect([copy.isActive, (await namesIn(copy.id)).includes('Vitrine')]).toEqual([false, true])
  await overtaken('Comprar', 'Guichê 3')
  await page.getByRole('button', { name: 'Ficar com o meu' }).click()
  await saved(page)
  expect(await namesIn()).toContain('Comprar')
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.startsWith('409')))

  // A flow in use by channels is published without a question; restoring an older version creates a new one.
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(toast(page, 'Versão 2 publicada')).toBeVisible()
  await page.getByRole('button', { name: 'Mais do fluxo' }).click()
  await page.getByRole('menuitem', { name: 'Versões' }).click()
  await expect(panel(page).getByRole('listitem')).toContainText([
    /Versão 2.*Publicada.*Ana Souza/,
    /Versão 1.*Ana Souza/,
  ])
  await panel(page).getByRole('button', { name: 'Restaurar a versão 1' }).click()
  await confirm(drawer(page), 'Restaurar a versão 1')
  await expect(toast(page, 'Versão 3 publicada')).toBeVisible()
  await expect(step(page, 'Etapa 2')).toBeVisible()

  // On a phone it is a list, in which steps are opened and changed as well.
  await page.setViewportSize({ width: 390, height: 844 })
  await panel(page).getByRole('button', { name: 'Fechar o painel' }).click()
  const steps = page.getByRole('list', { name: 'Etapas do fluxo' }).locator('> li')
  await expect(steps).toContainText([/Boas vindas!.*1.*Etapa 2/s, /Etapa 2.*Fila Vendas/s])
  await expectAccessible(page)
  await steps.nth(1).getByRole('button', { name: 'Etapa 2', exact: true }).click()
  await expectAccessible(page)
  await panel(page).getByRole('tab', { name: 'Ajustes' }).click()
  await panel(page).getByRole('textbox', { name: 'Nome da etapa' }).fill('Fim')
  await panel(page).getByRole('button', { name: 'Fechar o painel' }).click()
  await expect(steps).toContainText([/Boas vindas!.*Fim/s, /^Fim/])
  await saved(page)
  expect(complaints).toEqual([])
  await context.close()
})

test('a chatbot comes from a file, is made the company’s, copied and removed; a file that is none leaves nothing behind', {
  tag: ['@flows', '@wide'],
}, async ({ product, browser }) => {
  const { ask, admin } = await company(product)
  const { page, complaints } = await sitDown(browser, product, admin)
  await page.goto('/chat-flow')
  const importFile = async (name: string, text: string) => {
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Importar JSON' }).click()
    await (await chosen).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  }
  await importFile('nada.json', '{"x":')
  await expect(toast(page, 'Isto não é um fluxo: falta a lista de etapas.')).toBeVisible()
  expect(await ask('GET', '/chat-flow')).toEqual({ chatFlow: [] })
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.startsWith('400')))
  const node = { id: 'a', name: 'Oi', type: 'node', interactions: [], conditions: [], left: '60px', top: '60px' }
  const lineList = [{ from: 'start', to: 'a' }]
  const configurations = { id: 'c', type: 'configurations', configurations: { keyword: { message: 'promoção' } } }
  await importFile('Promoção.json', JSON.stringify({ nodeList: [node, configurations], lineList }))
  await expect(toast(page, 'Chatbot importado, desligado')).toBeVisible()
  await expect(row(page, 'Promoção')).toContainText('Inativo')
  // An unpublished flow cannot be the default.
  await row(page, 'Promoção').getByRole('button', { name: 'Mais ações' }).click()
  await expect(page.getByRole('menuitem', { name: 'Tornar o padrão da empresa' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const [{ id }] = (await ask<{ chatFlow: [{ id: number }] }>('GET', '/chat-flow')).chatFlow
  await ask('PUT', `/chat-flow/${id}`, { isActive: true })
  await ask('POST', `/chat-flow/${id}/publish`)
  // A colleague's publication appears at once.
  await expect(row(page, 'Promoção')).toContainText('Versão 1')
  await expect(row(page, 'Promoção')).toContainText('palavra “promoção”')
  await menuOf(page, 'Promoção', 'Tornar o padrão da empresa')
  await expect(row(page, 'Promoção')).toContainText('padrão da empresa, palavra “promoção”')
  expect(await ask('GET', '/settings/botTicketActive')).toMatchObject({ value: String(id) })
  await menuOf(page, 'Promoção', 'Duplicar')
  await expect(row(page, 'cópia')).toContainText('Inativo')
  await menuOf(page, 'cópia', 'Excluir…')
  await confirm(drawer(page), 'Excluir chatbot')
  await expect(row(page, 'cópia')).toHaveCount(0)
  await menuOf(page, 'Promoção', 'Excluir…')
  await expect(drawer(page)).toContainText('Ele deixa de atender onde é usado: padrão da empresa, palavra “promoção”.')
  await expectAccessible(page)
  await drawer(page).getByRole('button', { name: 'Cancelar' }).click()
  await menuOf(page, 'Promoção', 'Deixar de ser o padrão da empresa')
  await expect(row(page, 'Promoção')).not.toContainText('padrão da empresa')
  expect(complaints).toEqual([])
})

test('an auto reply is written, refused where something is missing, converted, and does the same in the builder', {
  tag: ['@flows'],
}, async ({ product, browser }) => {
  const { admin, made, tenantId } = await company(product)
  await made.queue(tenantId, { queue: 'Vendas' })
  const { page, complaints } = await sitDown(browser, product, admin)
  await page.goto('/chat-flow')
  await page.getByRole('link', { name: 'Respostas automáticas' }).click()
  await page.getByRole('button', { name: 'Criar a primeira' }).click()
  await field(page, 'Nome').fill('Recepção')
  const first = drawer(page).getByRole('listitem', { name: 'Etapa 1' })
  await first.getByRole('button', { name: 'Incluir resposta do cliente' }).click()
  const save = () =>
    drawer(page)
      .getByRole('button', { name: /^Salvar/ })
      .click()
  await save()
  await expect(first.getByText('Escolha a próxima etapa.')).toBeVisible()
  await first.getByRole('textbox', { name: 'Mensagem da etapa 1' }).fill('Olá! Digite 1 para vendas.')
  await first.getByRole('textbox', { name: 'Palavras-chave' }).fill('1, vendas')
  const pick = async (label: string, option: string) => {
    await first.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await pick('Então', 'Encaminhar para fila')
  await pick('Fila', 'Vendas')
  await first.getByRole('textbox', { name: 'Mensagem de retorno' }).fill('Já chamo.')
  await drawer(page).getByText('Desligada, ela não responde a ninguém.').click()
  await expectAccessible(page)
  await save()
  await expect(toast(page, 'Resposta automática salva')).toBeVisible()
  await expect(row(page, 'Recepção')).toContainText('Ativa')

  await menuOf(page, 'Recepção', 'Converter em fluxo…')
  await confirm(page, 'Converter em fluxo')
  await expect(page.getByRole('heading', { name: 'Recepção' })).toBeVisible()
  await expect(step(page, 'Etapa 1')).toContainText('Digite 1 para vendas')
  await expect(step(page, 'Retorno 1.1')).toContainText('Já chamo.')
  // At rest no animation runs, visible or not: it would redraw the page in each frame.
  await expect
    .poll(() =>
      page.evaluate(
        () => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length,
      ),
    )
    .toBe(0)
  await page.goto('/auto-resposta')
  await expect(row(page, 'Recepção')).toContainText('Desligada')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
