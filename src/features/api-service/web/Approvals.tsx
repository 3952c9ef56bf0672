import { Button, Modal, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { isRecord } from '#domain/keys.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, CloseIcon, InfoIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { mcpApprovals, mcpEvents } from '../addresses.ts'
import type { McpApproval } from '../contract.ts'
import css from './api-service.module.css'

const STATES: Readonly<Record<McpApproval['status'], { label: string; tone: Tone }>> = {
  waiting: { label: t('Esperando'), tone: 'warn' },
  running: { label: t('Em andamento'), tone: 'info' },
  done: { label: t('Feito'), tone: 'pos' },
  failed: { label: t('Não deu certo'), tone: 'neg' },
  refused: { label: t('Recusado'), tone: 'plain' },
  expired: { label: t('Venceu'), tone: 'plain' },
  uncertain: { label: t('Incerto'), tone: 'warn' },
}

const columns: readonly Column<McpApproval>[] = [
  { key: 'summary', title: t('O que faria'), cell: (row) => <span className="g-cut">{row.summary}</span> },
  {
    key: 'prompt',
    title: t('O que foi pedido'),
    cell: (row) => row.prompt && <span className="g-cut">{row.prompt}</span>,
  },
  {
    key: 'client',
    title: t('Programa'),
    cell: (row) => <span className="g-cut">{[row.client, row.key].filter(Boolean).join(' · ')}</span>,
  },
  { key: 'owner', title: t('Age como'), cell: (row) => <span className="g-cut">{row.owner}</span> },
  { key: 'created', title: t('Quando'), width: 140, cell: (row) => formatDateTime(row.createdAt) },
  {
    key: 'status',
    title: t('Situação'),
    width: 110,
    cell: ({ status }) => <Pill tone={STATES[status].tone}>{STATES[status].label}</Pill>,
  },
]

const canBeDecided = ({ status, mayDecide }: McpApproval): boolean => status === 'waiting' && mayDecide

async function decide({ id }: McpApproval, isApproved: boolean): Promise<boolean> {
  const operation = isApproved ? mcpApprovals.approve : mcpApprovals.refuse
  const answer = await attempt(() => call(operation, { params: { id } }, { quiet: true }))
  if (!answer) return false
  const isFailed = answer.status === 'failed'
  const title = isFailed ? answer.error : isApproved ? t('Aprovado e feito') : t('Pedido recusado')
  notify({ tone: isFailed ? 'neg' : 'pos', title })
  return true
}

/** List of programs' tool calls (MCP) that wait for approval or were decided. */
export function Approvals({ view }: { view: ReactNode }) {
  const [url, setUrl] = useUrlState()
  const [shown, setShown] = useState<string | null>(null)
  const isWaiting = url.quais !== 'decididos'
  const list = useList(mcpApprovals.list, (page) => page.items, { waiting: String(isWaiting) }, [mcpEvents.approvals])
  const open = list.rows.find(({ id }) => id === shown)
  return (
    <ListScreen
      title={t('API')}
      nouns={[t('pedido'), t('pedidos')]}
      list={list}
      view={view}
      filters={
        <SegmentedControl
          aria-label={t('Quais')}
          value={isWaiting ? 'esperando' : 'decididos'}
          onChange={(quais) => setUrl({ quais: quais === 'decididos' ? quais : undefined })}
          data={[
            { value: 'esperando', label: t('À espera') },
            { value: 'decididos', label: t('Decididos') },
          ]}
        />
      }
      empty={{
        title: isWaiting ? t('Nada à espera de aprovação') : t('Nenhum pedido decidido'),
        text: t(
          'Quando um assistente quer enviar a muitos, excluir ou mudar filas, usuários e configurações, o pedido espera aqui por até 24 horas.',
        ),
      }}
      table={{
        columns,
        rowKey: (row) => row.id,
        onOpen: (row) => setShown(row.id),
        commands: (row) => [
          { id: 'open', label: t('Ver o que mudaria'), icon: InfoIcon, run: () => setShown(row.id) },
          ...(canBeDecided(row)
            ? [
                { id: 'yes', label: t('Aprovar'), icon: CheckIcon, run: () => void decide(row, true) },
                { id: 'no', label: t('Recusar'), icon: CloseIcon, run: () => void decide(row, false) },
              ]
            : []),
        ],
      }}
    >
      {open && <ApprovalDialog approval={open} onClose={() => setShown(null)} />}
    </ListScreen>
  )
}

function ApprovalDialog({ approval, onClose }: { approval: McpApproval; onClose: () => void }) {
  const { summary, operation, client, key, owner, prompt, input, before, after, status, error, decider } = approval
  const changes = changesOf(before, after)
  const run = async (isApproved: boolean) => {
    if (await decide(approval, isApproved)) onClose()
  }
  return (
    <Modal opened onClose={onClose} size={640} title={summary}>
      <div className={css.examples}>
        <p>
          {t('{client}, com a chave “{key}”, agindo como {owner}.', { client: client || t('Um programa'), key, owner })}{' '}
          {prompt && t('O que foi pedido: “{prompt}”', { prompt })}
        </p>
        <section aria-label={t('Pedido')}>
          <header>
            <b>{t('Pedido')}</b>
            <code>{operation}</code>
          </header>
          <pre>{JSON.stringify(input, null, 2)}</pre>
        </section>
        {changes.length > 0 && (
          <section aria-label={t('O que mudaria')}>
            <b>{t('O que mudaria')}</b>
            <dl className={css.changes}>
              {changes.map(([name, was, is]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {was !== undefined && <del>{was}</del>} {is !== undefined && <ins>{is}</ins>}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {status !== 'waiting' && (
          <p>
            {STATES[status].label}
            {decider && ` · ${decider}`}
            {error && ` · ${error}`}
          </p>
        )}
        {status === 'waiting' && !approval.mayDecide && (
          <p>{t('Só quem pode fazer isto pode aprovar: o seu perfil não pode.')}</p>
        )}
        {canBeDecided(approval) && (
          <div className={css.decision}>
            <Button variant="default" onClick={() => void run(false)}>
              {t('Recusar')}
            </Button>
            <Button onClick={() => void run(true)}>{t('Aprovar e fazer')}</Button>
          </div>
        )}
      </div>
    </Modal>
  )
}

const MOST_SHOWN = 30
type Change = readonly [name: string, was: string | undefined, is: string | undefined]

/** Returns the fields that differ, as short texts. */
function changesOf(before: unknown, after: unknown): readonly Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .map((name): Change => [name, textOf(was[name]), textOf(is[name])])
    .filter(([, one, other]) => one !== other)
    .slice(0, MOST_SHOWN)
}
const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300)
