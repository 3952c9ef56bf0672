import { secondFactor } from '#features/second-factor/addresses.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { users } from '../addresses.ts'
import type { UserRow } from '../contract.ts'

const quiet = { quiet: true }

/** Whether a user is above the viewer, so that the viewer may not change the account. */
export const isAbove = (row: Pick<UserRow, 'profile'>): boolean =>
  row.profile === 'superadmin' && viewer().profile !== 'superadmin'

/** Creates an invitation link to set a password, mailed if mail is configured. */
export const invite = async ({ id, name, email }: UserRow) => ({
  name,
  email,
  ...(await call(users.invite, { params: { id }, body: {} }, quiet)),
})

/** Activates a user, or deactivates one after confirmation. */
export async function setActive({ id, name }: UserRow, isActive: boolean): Promise<void> {
  const sure =
    isActive ||
    (await confirm({
      title: t('Desativar {name}?', { name }),
      text: t('Sai de todos os dispositivos, não entra mais, e os atendimentos abertos voltam para pendentes.'),
      action: t('Desativar'),
    }))
  const change = () => call(users.update, { params: { id }, body: { isActive } }, quiet)
  if (sure)
    await attempt(change, isActive ? t('{name} pode entrar de novo', { name }) : t('{name} está inativo', { name }))
}

/** Logs a user out everywhere, after confirmation. */
export async function endSessions({ id, name }: UserRow): Promise<void> {
  const sure = await confirm({
    title: t('Encerrar os dispositivos de {name}?', { name }),
    text: t('Quem estiver usando esta conta vai para a tela de entrada. O que não foi salvo se perde.'),
    action: t('Encerrar dispositivos'),
  })
  if (sure) await attempt(() => call(users.endSessions, { params: { id } }, quiet), t('Dispositivos encerrados'))
}

/** Removes a user's second factor, after confirmation. */
export async function resetSecondFactor({ id, name }: UserRow): Promise<void> {
  const sure = await confirm({
    title: t('Tirar o segundo fator de {name}?', { name }),
    text: t(
      'Para quem perdeu o celular: o aplicativo, os códigos de recuperação e as passkeys deixam de valer, e a senha volta a bastar. Onde a empresa exige, ele é configurado de novo na próxima entrada.',
    ),
    action: t('Tirar segundo fator'),
  })
  if (sure) await attempt(() => call(secondFactor.reset, { params: { id } }, quiet), t('Segundo fator tirado'))
}

/** Removes a user from the company, after confirmation. */
export async function remove({ id, name }: UserRow): Promise<void> {
  const sure = await confirm({
    title: t('Excluir {name}?', { name }),
    text: t(
      'Os atendimentos abertos voltam para pendentes, as carteiras são desfeitas e os dispositivos encerrados. O nome fica na história. Isto não pode ser desfeito.',
    ),
    action: t('Excluir usuário'),
  })
  if (sure) await attempt(() => call(users.remove, { params: { id } }, quiet), t('Usuário excluído'))
}
