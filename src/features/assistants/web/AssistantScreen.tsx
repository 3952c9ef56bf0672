import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AssistantConfig, assistantConfigs } from '#providers/assistants/configs.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon } from '#web/ui/icons.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { assistants } from '../addresses.ts'
import type { AssistantAccount } from '../contract.ts'
import { AccountCard } from './AccountCard.tsx'
import { AccountForm } from './AccountForm.tsx'
import css from './assistants.module.css'
import { Connections } from './Connections.tsx'
import { PhoneCalls } from './PhoneCalls.tsx'
import { AnswersEverywhere, MayAnswer } from './provider-switches.tsx'
import { Queues } from './Queues.tsx'
import { Transcribing } from './Transcribing.tsx'
import { money, monthText } from './texts.ts'

/** Whether an account only makes phone calls: it answers no messages, and replaces no other account. */
const isVoice = ({ provider }: AssistantAccount): boolean =>
  assistantConfigs.some(({ id, kind }) => id === provider && kind === 'voice')

/** Page of an assistant provider: its accounts, switches and connections. */
export function AssistantScreen({ config }: { config: AssistantConfig }) {
  const { data, error, refetch } = useQuery(query(assistants.list))
  const [url, setUrl] = useUrlState()
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data)
    return (
      <Page>
        <PageHeader title={config.name} />
        <SkeletonRows kind="card" rows={2} />
      </Page>
    )
  const own = data.assistants.filter(({ provider }) => provider === config.id)
  const spent = own.reduce((sum, { monthCost }) => sum + monthCost, 0)
  const open = (id: string) => setUrl({ id })
  const warning = monthText(data.month)
  return (
    <Page>
      <PageHeader
        title={config.name}
        facts={own.length > 0 && t('Neste mês: {cost}', { cost: money(spent) })}
        actions={
          own.length > 0 && (
            <>
              {config.ticketSwitch && <MayAnswer name={config.name} ticketSwitch={config.ticketSwitch} />}
              <Button leftSection={<AddIcon size={17} />} onClick={() => open('nova')}>
                {t('Nova conta')}
              </Button>
            </>
          )
        }
      />
      <div className={css.column}>
        {warning && <Notice tone="warn">{warning}</Notice>}
        {own.length === 0 ? (
          <EmptyState
            title={t('Nenhuma conta de {name}', { name: config.name })}
            text={config.help}
            step={{ label: t('Conectar'), run: () => open('nova') }}
          />
        ) : (
          <Accounts own={own} all={data.assistants} config={config} open={open} />
        )}
      </div>
      {url.id && (
        <AccountForm
          key={url.id}
          config={config}
          account={own.find(({ id }) => String(id) === url.id) ?? null}
          others={data.assistants.filter((one) => String(one.id) !== url.id && !isVoice(one))}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
    </Page>
  )
}

/** The accounts of one provider, and where they answer. */
function Accounts({
  own,
  all,
  config,
  open,
}: {
  own: readonly AssistantAccount[]
  all: readonly AssistantAccount[]
  config: AssistantConfig
  open: (id: string) => void
}) {
  const remove = async (account: AssistantAccount) => {
    const isSure = await confirm({
      title: t('Excluir {name}?', { name: account.name }),
      text: t('Onde esta conta responde, as pessoas passam a atender. Os custos já contados ficam.'),
      action: t('Excluir'),
      tone: 'neg',
    })
    if (isSure)
      await attempt(() => call(assistants.remove, { params: { id: account.id } }, { quiet: true }), t('Conta excluída'))
  }
  return (
    <>
      {own.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          onEdit={() => open(String(account.id))}
          onRemove={() => void remove(account)}
        />
      ))}
      {config.ticketSwitch && <AnswersEverywhere ticketSwitch={config.ticketSwitch} />}
      {config.ticketSwitch && <Connections accounts={all} />}
      {config.ticketSwitch && <Queues accounts={all} />}
      {'transcriptionModel' in config.fields && <Transcribing />}
      {config.kind === 'voice' && <PhoneCalls accounts={own} />}
    </>
  )
}
