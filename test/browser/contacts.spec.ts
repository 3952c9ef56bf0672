import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { textEvent } from '#test/peers/channel.ts'
import { attendance } from './pages/attendance.ts'
import { drawer, field, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a contact is written, refused at its fields, and the owner of a line is shown', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { admin, tenantId, made } = await company(product)
  await made.contact(tenantId, { name: 'Marlene Figueiredo', number: '551998124407' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await page.getByRole('button', { name: 'Novo contato' }).click()
  await field(page, 'E-mail').fill('bruna@terra')
  await field(page, 'CPF/CNPJ').fill('31860492704')
  await field(page, 'Data de aniversário').fill('30021990')
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Nome')).toHaveAccessibleDescription('Preencha este campo.')
  await expect(field(page, 'E-mail')).toHaveAccessibleDescription(/e-mail válido/)
  await expect(field(page, 'CPF/CNPJ')).toHaveValue('318.604.927-04')
  await expect(field(page, 'CPF/CNPJ')).toHaveAccessibleDescription(/CPF ou CNPJ/)
  await expect(field(page, 'Data de aniversário')).toHaveAccessibleDescription(/data/)
  expect(complaints).toEqual([])

  await field(page, 'Nome').fill('Bruna Prado')
  await field(page, 'E-mail').fill('bruna@terra.com.br')
  await field(page, 'CPF/CNPJ').fill('31860492703')
  await field(page, 'Data de aniversário').fill('14031990')
  await field(page, 'Número').fill('(19) 99812-4407')
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Número')).toHaveAccessibleDescription(/^Já existe um contato com esse número\./)
  await expect(drawer(page).getByRole('alert')).toContainText('Este número já é de Marlene Figueiredo.')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409 POST')])

  await drawer(page).getByRole('button', { name: 'Abrir contato' }).click()
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  await expect(field(page, 'Nome')).toHaveValue('Bruna Prado')
  await field(page, 'Número').fill('(19) 99812-4408')
  await page.keyboard.press('Control+Enter')
  await expect(drawer(page)).toHaveCount(0)
  await expect(row(page, 'Bruna Prado')).toContainText('+55 (19) 99812-4408')
  await expect(row(page, 'Bruna Prado')).toContainText('14/03')
  expect(complaints).toEqual([])
  await context.close()
})

test('the list is searched in the address, follows what colleagues do, and is exported whole', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, tenantId, made, ask } = await company(product)
  for (let n = 0; n < 45; n++) await made.contact(tenantId, { name: `Cliente ${String(n).padStart(2, '0')}` })
  const tag = await made.tag(tenantId, { tag: 'Cliente ouro' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await expect(page.getByText('45 contatos', { exact: true })).toBeVisible()
  const { id } = await ask<{ id: number }>('POST', '/contacts', { name: 'Álvaro Dias', tags: [tag] })
  await expect(row(page, 'Álvaro Dias')).toBeVisible()
  await page.getByRole('searchbox').fill('alvaro')
  await expect(page).toHaveURL(/busca=alvaro/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(2)
  await ask('PUT', `/contacts/${id}`, { businessName: 'Padaria Sol' })
  await expect(row(page, 'Álvaro Dias')).toContainText('Padaria Sol')

  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Etiqueta', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Cliente ouro' }).check()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Limpar filtro Etiqueta: Cliente ouro' }).click()
  await expect(page.getByText('46 contatos', { exact: true })).toBeVisible()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Exportar' }).click()
      await page.getByRole('menuitem', { name: 'Planilha (CSV)' }).click()
    })(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(47)
  expect(lines[1]).toContain('Álvaro Dias;;;;;;;Padaria Sol;Cliente ouro;')

  await page.getByRole('button', { name: /^Colunas/ }).click()
  await page.getByRole('checkbox', { name: 'CPF/CNPJ' }).check()
  await expect(page.getByRole('columnheader', { name: 'CPF/CNPJ' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'CPF/CNPJ' })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})

test('a conversation begins on a channel that works, and the one that is open is found again', {
  tag: ['@wide', '@attendance', '@tickets', '@connections'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  await made.contact(tenantId, { name: 'Edson Kobayashi', number: '5511966713028' })
  await made.connection(tenantId, { name: 'Loja', type: 'lab' })
  await made.connection(tenantId, { name: 'Site', type: 'webchat' })
  await made.connection(tenantId, { name: 'Reserva', type: 'lab', status: 'DISCONNECTED' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  const begin = async () => {
    await page.goto('/contatos')
    await row(page, 'Edson').getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Iniciar conversa' }).click()
  }
  await begin()
  await drawer(page).getByText('Outros canais: 2').click()
  await expect(drawer(page).getByRole('button', { name: /Site/ })).toBeDisabled()
  await expect(drawer(page).getByRole('button', { name: /Reserva/ })).toBeDisabled()
  await drawer(page).getByRole('button', { name: /Loja/ }).click()
  await expect(page).toHaveURL(/\/atendimento\/\d+$/)
  const ticket = page.url()
  expect(complaints).toEqual([])
  await begin()
  await expect(drawer(page).getByRole('button', { name: /Loja/ })).toContainText('Atendimento aberto')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(ticket)
  expect(complaints).toEqual([])
  await context.close()
})

test('two contacts are compared and merged, both numbers go on in one conversation, and all of it is undone', {
  tag: ['@attendance', '@tickets', '@wide'],
}, async ({ product, browser }) => {
  const { people, tenantId, talking, hear, ask, ticketOf, messagesOf, channel } = await shop(product)
  for (const name of ['Marlene Figueiredo', 'Lena']) {
    await talking(name, people.ana)
    await ask('PUT', `/contacts/${(await ticketOf(name)).contact_id}`, { email: 'marlene@casa.br' })
  }
  const { id: live, contact_id: marlene, conversation_key: herNumber } = await ticketOf('Marlene Figueiredo')
  const { conversation_key: lenasNumber } = await ticketOf('Lena')
  const { page, complaints, context } = await sitDown(browser, product, people.admin)
  await page.goto('/contatos')
  await page.getByRole('button', { name: 'Possíveis duplicados' }).click()
  const list = page.getByRole('dialog', { name: 'Possíveis duplicados' })
  await expect(list).toContainText('Mesmo e-mail')
  await list.getByRole('button', { name: 'Comparar e mesclar' }).click()
  const preview = page.getByRole('dialog', { name: 'Mesclar Marlene Figueiredo' })
  await expect(preview).toContainText('Os dois têm atendimento aberto em Balcão')
  await preview.getByRole('radiogroup', { name: 'Nome' }).getByText('Lena').click()
  await preview.getByRole('button', { name: 'Mesclar', exact: true }).click()
  await expect(list).toContainText('Nenhum contato repetido')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row')).toHaveCount(2)
  await row(page, 'Lena').getByRole('button', { name: /Lena/ }).click()
  await drawer(page).getByRole('tab', { name: 'Identidades' }).click()
  await expect(drawer(page).getByRole('region', { name: 'Endereços' }).getByRole('listitem')).toHaveCount(2)

  // Whichever number she writes from, it is one conversation; what is answered goes to the one that wrote last.
  await page.goto(`/atendimento/${live}`)
  const { bubble } = attendance(page)
  const answer = async (body: string) => {
    await ask('POST', `/messages/${live}`, { idFront: randomUUID(), body, isNote: false })
    await expect.poll(() => channel.sent.at(-1)?.body).toContain(body)
    return channel.sent.at(-1)!.conversationKey
  }
  await hear('Lena', 'Sou eu, do outro número')
  await expect(bubble('Sou eu, do outro número')).toBeVisible()
  expect(await answer('Anotei os dois')).toBe(lenasNumber)
  await hear('Marlene Figueiredo', 'E agora deste')
  await expect(bubble('E agora deste')).toBeVisible()
  expect(await answer('Respondo aqui')).toBe(herNumber)
  expect((await messagesOf('Lena')).at(-1)).toMatchObject({ ticket_id: live })
  await expect(page.getByText(/^A resposta vai para .*, de onde a pessoa escreveu por último\.$/)).toBeVisible()

  await page.goto(`/contatos?id=${marlene}`)
  await drawer(page).getByRole('tab', { name: 'Identidades' }).click()
  await drawer(page).getByRole('button', { name: 'Desfazer' }).click()
  await expect(drawer(page).getByRole('region', { name: 'Contatos unidos' })).toContainText('desfeita em')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Marlene Figueiredo')).toBeVisible()
  await expect(row(page, 'Lena')).toBeVisible()
  // Messages since then of a number belong to its contact, and so do new ones.
  await hear('Lena', 'Depois da separação')
  const hers = await messagesOf('Lena')
  expect(hers.map(({ body }) => body)).toEqual(
    expect.arrayContaining(['Sou eu, do outro número', 'Anotei os dois', 'Depois da separação']),
  )
  expect(hers.filter(({ ticket_id }) => ticket_id === live)).toEqual([])
  expect((await messagesOf('Marlene Figueiredo')).filter(({ ticket_id }) => ticket_id !== live)).toEqual([])

  // A contact without a known number shows that.
  const { connection_id: connectionId } = await ticketOf('Lena')
  const secret = textEvent({ from: '90012@lid', name: 'Oculta', body: 'Sem número' })
  await receive(product.platform, { tenantId, connectionId }, [
    { ...secret, sender: { ...secret.sender, number: null } },
  ])
  await ingestIdle(product.platform)
  await page.goto('/atendimento')
  await attendance(page).tab('Pendentes').click()
  await attendance(page).open('Sem número')
  await expect(page.getByText('Número oculto', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
