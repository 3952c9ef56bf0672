import { type ReactNode, Suspense, useState } from 'react'
import { loadOfConnection } from '#features/attendance/web/index.ts'
import { showBulk } from '#features/bulk/web/index.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { download } from '#web/resource/csv.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'
import { callCommand } from '#web/shell/call-command.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, ClearIcon, DeleteIcon, MergeIcon } from '#web/ui/icons.ts'
import { available, type Command } from '#web/ui/layout/command.ts'
import { contacts } from '../addresses.ts'
import type { ContactRow } from '../contract.ts'

const MergeDialog = lazyPart(async () => (await import('./MergeDialog.tsx')).MergeDialog)

const Closing = lazyPart(async () => (await loadOfConnection()).Closing)

const closing = {
  doing: t('Resolvendo'),
  done: (count: number) => plural(count, t('atendimento resolvido'), t('atendimentos resolvidos')),
}

// Asks for the reason, where the company requires one, in place of the confirmation; a given `why` is always confirmed.
async function closeAll(
  { id, name }: ContactRow,
  ask: () => void,
  why?: { title: string; text: string },
): Promise<void> {
  const isForced = isSettingOn('forceReason')
  if (isForced && !why) return ask()
  const question = why ?? {
    title: t('Resolver todos os atendimentos de {name}?', { name }),
    text: t('Os abertos e os pendentes são resolvidos. Por 10 segundos dá para desfazer.'),
  }
  if (!(await confirm({ ...question, action: t('Resolver todos'), tone: 'brand' }))) return
  if (isForced) ask()
  else await endAll(id, {})
}

async function endAll(contactId: number, reason: { reasons?: number | undefined }): Promise<boolean> {
  const answer = await attempt(() => call(contacts.closeAll, { body: { contactId, ...reason } }, { quiet: true }))
  if (answer) showBulk(answer, closing, answer.total === 0 ? t('Nenhum atendimento em andamento') : undefined)
  return answer !== undefined
}

/** Dialog that closes all active tickets of a contact, with a reason. */
export function ClosingAll({ of: { id, name }, onClose }: { of: ContactRow; onClose: () => void }) {
  return (
    <Closing
      title={t('Resolver todos os atendimentos de {name}', { name })}
      asks="reason"
      onResolve={async ({ reasons }) => {
        if (await endAll(id, { reasons })) onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Callback with the state of a deletion: while it runs, the contact is not read again. */
export type Going = (is: 'going' | 'gone' | 'there') => void

async function remove({ id, name }: ContactRow, going: Going): Promise<void> {
  const sure = await confirm({
    title: t('Excluir {name}?', { name }),
    text: t('Os dados, etiquetas e carteiras do contato são apagados, e isto não pode ser desfeito.'),
    action: t('Excluir contato'),
  })
  if (!sure) return
  going('going')
  const work = () => call(contacts.remove, { params: { id } }, { quiet: true })
  going((await attempt(work, t('Contato excluído'))) === undefined ? 'there' : 'gone')
}

// Counts what would be deleted, before the confirmation.
async function removeForced({ id, name }: ContactRow, going: Going): Promise<void> {
  const lost = await attempt(() => call(contacts.previewForced, { params: { id } }, { quiet: true }))
  if (!lost) return
  const sure = await confirm({
    title: t('Deletar {name} forçadamente?', { name }),
    text: (
      <>
        <p>{t('Somem para sempre, também dos números e relatórios:')}</p>
        <ul>
          {[
            plural(lost.tickets, t('atendimento'), t('atendimentos')) +
              (lost.live > 0 ? ` (${formatNumber(lost.live)} ${t('em andamento')})` : ''),
            `${plural(lost.messages, t('mensagem'), t('mensagens'))}, ${plural(lost.files, t('arquivo'), t('arquivos'))}`,
            plural(lost.schedules, t('agendamento'), t('agendamentos')),
            plural(lost.ratings, t('avaliação'), t('avaliações')),
            plural(lost.identities, t('endereço em canais'), t('endereços em canais')),
          ].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    ),
    action: t('Deletar tudo'),
  })
  if (!sure) return
  going('going')
  const work = () => call(contacts.removeForced, { params: { id } }, { quiet: true, long: true })
  going((await attempt(work, t('Contato excluído com tudo o que havia'))) === undefined ? 'there' : 'gone')
}

// Counts what would be erased, before the confirmation; afterwards shows the certificate.
async function forget(contact: ContactRow, ask: () => void): Promise<void> {
  const { id } = contact
  const lost = await attempt(() => call(contacts.previewForget, { params: { id } }, { quiet: true }))
  if (!lost) return
  if (lost.live > 0)
    return closeAll(contact, ask, {
      title: t('{name} ainda tem {count} em andamento', {
        name: lost.name,
        count: plural(lost.live, t('atendimento'), t('atendimentos')),
      }),
      text: t('Só quem não está em atendimento pode ser esquecido. Resolva todos e peça de novo.'),
    })
  const sure = await confirm({
    title: t('Esquecer {name}?', { name: lost.name }),
    text: (
      <>
        <p>
          {t(
            'A pedido da pessoa (LGPD): nome, número, endereços, textos e arquivos são apagados das tabelas, da busca e do disco, e isto não pode ser desfeito. Os números e as avaliações ficam, sem nome. A trilha de auditoria fica pelo prazo da lei, e cópias de segurança antigas até vencerem.',
          )}
        </p>
        <ul>
          {[
            `${plural(lost.messages, t('mensagem'), t('mensagens'))} ${t('de')} ${plural(lost.tickets, t('atendimento'), t('atendimentos'))}`,
            plural(lost.files, t('arquivo'), t('arquivos')),
            plural(lost.identities, t('endereço em canais'), t('endereços em canais')),
            plural(lost.changes, t('alteração registrada'), t('alterações registradas')),
          ].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    ),
    action: t('Esquecer para sempre'),
  })
  if (!sure) return
  const work = () => call(contacts.forget, { params: { id } }, { quiet: true, long: true })
  const certificate = await attempt(work)
  if (!certificate) return
  notify({
    tone: 'pos',
    title: t('Pessoa esquecida'),
    text: t('A certidão assinada nº {id} foi guardada e baixada.', { id: certificate.id }),
  })
  download(`certidao-${certificate.id}.json`, JSON.stringify(certificate, null, 2), 'application/json')
}

/** Returns the commands of a contact, with the dialogs that they open. */
export function useContactCommands(
  contact: ContactRow | undefined,
  going: Going,
): { commands: readonly Command[]; dialogs: ReactNode } {
  const [merging, setMerging] = useState(false)
  const [ending, setEnding] = useState(false)
  const may = useMay()
  if (!contact) return { commands: [], dialogs: null }
  const commands = available(
    commandsOf(contact, may, { merge: () => setMerging(true), end: () => setEnding(true), going }),
  )
  return {
    commands,
    dialogs: (
      <Suspense>
        {merging && (
          <MergeDialog
            id={contact.id}
            name={contact.name}
            onDone={() => setMerging(false)}
            onClose={() => setMerging(false)}
          />
        )}
        {ending && <ClosingAll of={contact} onClose={() => setEnding(false)} />}
      </Suspense>
    ),
  }
}

/** Returns the commands of a contact for its row. */
export function commandsOf(
  contact: ContactRow,
  may: ReturnType<typeof useMay>,
  { merge, end, going }: { merge: () => void; end: () => void; going: Going },
): readonly Command[] {
  return [
    callCommand(contact),
    {
      id: 'merge',
      label: t('Mesclar…'),
      icon: MergeIcon,
      when: () => may('contacts:merge') && !contact.isGroup,
      run: merge,
    },
    {
      id: 'close-all',
      label: t('Resolver todos os atendimentos…'),
      icon: CheckIcon,
      when: () => may('tickets:write'),
      run: () => void closeAll(contact, end),
    },
    {
      id: 'remove',
      label: t('Excluir…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () => may('contacts:delete'),
      run: () => void remove(contact, going),
    },
    {
      id: 'forget',
      label: t('Esquecer pessoa (LGPD)…'),
      icon: ClearIcon,
      tone: 'neg',
      when: () => may('contacts:forget') && !contact.isGroup,
      run: () => void forget(contact, end),
    },
    {
      id: 'force',
      label: t('Deletar forçadamente…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () => may('contacts:force'),
      run: () => void removeForced(contact, going),
    },
  ]
}
