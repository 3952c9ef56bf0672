import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { switchCommand } from '#web/resource/switch-command.ts'
import { useTable } from '#web/resource/use-table.tsx'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SecretDialog } from '#web/ui/feedback/SecretDialog.tsx'
import { DeleteIcon, EditIcon, RefreshIcon, SendIcon, TrailIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { webhookEndpointEvents, webhookEndpoints } from '../addresses.ts'
import type { WebhookEndpoint } from '../contract.ts'
import { endpointTable } from '../table.ts'
import { DeliveryLog } from './DeliveryLog.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { eventName } from './event-names.ts'

function State({ row }: { row: WebhookEndpoint }) {
  if (row.offReason === 'gone') return <Pill tone="neg">{t('Desligado: não existe mais')}</Pill>
  if (row.offReason === 'failing') return <Pill tone="neg">{t('Desligado: falhou por 5 dias')}</Pill>
  if (!row.isActive) return <Pill>{t('Desligado')}</Pill>
  if (row.failingSince)
    return <Pill tone="warn">{t('Falhando desde {when}', { when: formatDateTime(row.failingSince) })}</Pill>
  return <Pill tone="pos">{t('Ligado')}</Pill>
}

const eventsOf = ({ events }: WebhookEndpoint): string => events.map(eventName).join(' · ')

const columns: readonly Column<WebhookEndpoint>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  { key: 'url', title: t('Endereço'), cell: (row) => <span className="g-cut">{row.url}</span> },
  { key: 'events', title: t('Eventos'), cell: (row) => <span className="g-cut">{eventsOf(row)}</span> },
  { key: 'state', title: t('Situação'), cell: (row) => <State row={row} /> },
  {
    key: 'waiting',
    title: t('Esperando'),
    numeric: true,
    cell: (row) => (row.waiting >= 1000 ? '1000+' : row.waiting),
  },
  {
    key: 'last',
    title: t('Último envio'),
    cell: (row) => (row.lastDeliveredAt ? formatDateTime(row.lastDeliveredAt) : t('Nenhum')),
  },
]

const FILE: CsvFile<WebhookEndpoint> = {
  name: 'webhooks.csv',
  most: 100,
  columns: [
    ['ID', (row) => row.id],
    [t('Nome'), (row) => row.name],
    [t('Endereço'), (row) => row.url],
    [t('Eventos'), eventsOf],
    [t('Ligado'), (row) => (row.isActive ? t('Sim') : t('Não'))],
  ],
}

async function test({ id, name }: WebhookEndpoint): Promise<void> {
  const answer = await attempt(() => call(webhookEndpoints.test, { params: { id } }, { quiet: true }))
  if (!answer) return
  const text =
    answer.problem ?? t('Respondeu {status} em {ms} ms.', { status: String(answer.httpStatus), ms: answer.ms })
  notify({ tone: answer.isTaken ? 'pos' : 'neg', title: name, text })
}

/** Replaces an endpoint's secret after a question, and passes on the new one. */
async function rotate({ id }: WebhookEndpoint, onMade: (secret: string) => void): Promise<void> {
  const isSure = await confirm({
    title: t('Trocar o segredo?'),
    text: t('O segredo atual continua a valer por 24 horas, ao lado do novo.'),
    action: t('Trocar o segredo'),
  })
  if (!isSure) return
  const answer = await attempt(() => call(webhookEndpoints.rotate, { params: { id } }, { quiet: true }))
  if (answer) onMade(answer.secret)
}

/** Page of webhook endpoints: create, test, change, view and resend deliveries. */
export function Webhooks() {
  const [url, setUrl] = useUrlState()
  const [secret, setSecret] = useState<string | null>(null)
  const [log, setLog] = useState<WebhookEndpoint | null>(null)
  const { remove, bar, screen, table } = useTable({
    spec: endpointTable,
    ops: webhookEndpoints,
    rowsOf: (page) => page.items,
    live: [webhookEndpointEvents.changed],
    nameOf: (row) => row.name,
    locked: (row) => (row.ofSettings && row.isActive ? t('Vem das configurações antigas da empresa.') : null),
    loss: t('O sistema deixa de ser avisado, e o registro do que lhe foi enviado se vai.'),
  })
  const open = (id: number | string) => setUrl({ id })
  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhum webhook'),
        text: t('Um webhook avisa outro sistema na hora em que algo acontece: mensagem, atendimento, contato, nota.'),
      }}
      file={FILE}
      add={{ label: t('Novo webhook'), first: t('Criar o primeiro'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        onOpen: (row) => (row.ofSettings ? setLog(row) : open(row.id)),
        commands: (row) => [
          { id: 'log', label: t('Ver envios'), icon: TrailIcon, run: () => setLog(row) },
          { id: 'test', label: t('Testar'), icon: SendIcon, run: () => void test(row) },
          ...(row.ofSettings
            ? []
            : [
                { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
                switchCommand(webhookEndpoints.update, row, {
                  notices: { on: t('Webhook ligado'), off: t('Webhook desligado') },
                }),
              ]),
          { id: 'rotate', label: t('Trocar o segredo…'), icon: RefreshIcon, run: () => void rotate(row, setSecret) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <EndpointForm key={url.id} id={url.id} onMade={setSecret} onClose={() => setUrl({ id: undefined })} />}
      {log && <DeliveryLog endpoint={log} onClose={() => setLog(null)} />}
      {secret && (
        <SecretDialog
          title={t('Segredo do webhook')}
          text={t(
            'Com ele o seu sistema confere que um envio veio daqui (Standard Webhooks, cabeçalho webhook-signature).',
          )}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </ListScreen>
  )
}
