import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { firstOf } from '#domain/present.ts'
import type { ProviderPart } from '#features/connections/web/index.ts'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useLive } from '#web/resource/use-list.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ClockIcon, LockIcon, PersonIcon, RefreshIcon, SmsIcon, TransferIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { providerNumberEvents, providerNumbers } from '../addresses.ts'
import type { NumberRow } from '../contract.ts'
import { CodeDialog, PinDialog } from './dialogs.tsx'
import { History } from './History.tsx'
import { limitText, nameLabel, qualityLabel, refusalText, stateLabel } from './labels.ts'
import css from './numbers.module.css'
import { ProfileForm } from './ProfileForm.tsx'

type Act = 'code' | 'pin' | 'history'

/** Page of a provider's numbers: state, profile, registration, changes. */
export const Numbers: ProviderPart = ({ config, tabs }) => {
  const [url, setUrl] = useUrlState()
  const { data, error, refetch } = useQuery(query(providerNumbers.list))
  const [act, setAct] = useState<{ act: Act; id: number } | null>(null)
  useLive(providerNumbers.list.family, [providerNumberEvents.changed])
  const numbers = data?.numbers.filter(({ type }) => config.types.some((one) => one.type === type))
  const of = numbers?.find(({ whatsappId }) => whatsappId === act?.id)
  const profiled = numbers?.find(({ whatsappId }) => String(whatsappId) === url['perfil'])
  const done = () => setAct(null)
  return (
    <Page>
      <PageHeader
        title={config.settings.name}
        icon={<ChannelTile type={firstOf(config.types).type} />}
        facts={numbers && plural(numbers.length, t('número'), t('números'))}
      />
      {tabs}
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!numbers && !error && <SkeletonRows kind="card" rows={2} />}
      {numbers?.length === 0 && (
        <EmptyState
          title={t('Nenhum número ainda')}
          text={t('Crie um canal deste provedor, em Canais: a qualidade, o limite e o nome do número aparecem aqui.')}
        />
      )}
      <div className={css.cards}>
        {numbers?.map((row) => (
          <NumberCard
            key={row.whatsappId}
            row={row}
            onAct={(next) => setAct({ act: next, id: row.whatsappId })}
            onProfile={() => setUrl({ perfil: row.whatsappId })}
          />
        ))}
      </div>
      {of && act?.act === 'code' && <CodeDialog row={of} onClose={done} />}
      {of && act?.act === 'pin' && <PinDialog row={of} onClose={done} />}
      {of && act?.act === 'history' && <History row={of} onClose={done} />}
      {profiled && (
        <ProfileForm key={profiled.whatsappId} row={profiled} onClose={() => setUrl({ perfil: undefined })} />
      )}
    </Page>
  )
}

function NumberCard(props: { row: NumberRow; onAct: (act: Act) => void; onProfile: () => void }) {
  const { row, onAct, onProfile } = props
  const { whatsappId: id, name, state, isConnected } = row
  const report = async (work: () => Promise<unknown>, title: string) => {
    try {
      await work()
      notify({ tone: 'pos', title })
    } catch (error) {
      notify({ tone: 'neg', title: refusalText(error) })
    }
  }
  const bringHere = async (isHere: boolean) => {
    const sure = await confirm(
      isHere
        ? {
            title: t('Trazer os eventos desta conta para cá?'),
            text: t(
              'O provedor passa a chamar o endereço do Guichê para toda a conta, em vez do endereço do aplicativo.',
            ),
            action: t('Trazer para cá'),
          }
        : {
            title: t('Devolver os eventos ao endereço do aplicativo?'),
            text: t('Se ele não for o do Guichê, as mensagens dos contatos deixam de chegar aqui.'),
            action: t('Devolver'),
          },
    )
    if (!sure) return
    const work = () => call(providerNumbers.setCallback, { params: { id }, body: { isHere } }, { quiet: true })
    await report(work, isHere ? t('Os eventos da conta vêm para cá') : t('Os eventos voltam ao endereço do aplicativo'))
  }
  const commands = [
    {
      ...{ id: 'read', label: t('Ler de novo'), icon: RefreshIcon },
      run: () =>
        void report(() => call(providerNumbers.read, { params: { id } }, { quiet: true }), t('Lido no provedor agora')),
    },
    { id: 'profile', label: t('Perfil e foto'), icon: PersonIcon, run: onProfile },
    { id: 'history', label: t('Histórico'), icon: ClockIcon, run: () => onAct('history') },
    { id: 'code', label: t('Verificar por código…'), icon: SmsIcon, run: () => onAct('code') },
    { id: 'pin', label: t('Registrar com PIN…'), icon: LockIcon, run: () => onAct('pin') },
    { id: 'here', label: t('Trazer os eventos para cá…'), icon: TransferIcon, run: () => void bringHere(true) },
    { id: 'back', label: t('Devolver os eventos…'), icon: TransferIcon, run: () => void bringHere(false) },
  ]
  return (
    <Card title={name} actions={<CommandMenu commands={commands} label={t('Ações de {name}', { name })} />}>
      <NumberFacts state={state} isConnected={isConnected} />
      {state && <p className={css.read}>{t('Lido em {when}', { when: formatDateTime(state.readAt) })}</p>}
    </Card>
  )
}

function NumberFacts({ state, isConnected }: Pick<NumberRow, 'state' | 'isConnected'>) {
  return state ? (
    <dl className={css.facts}>
      <Fact name={t('Número')}>{state.shownNumber}</Fact>
      <Fact name={t('Situação')}>
        <Pill tone={stateLabel(state.status).tone}>{stateLabel(state.status).text}</Pill>
      </Fact>
      <Fact name={t('Qualidade')}>
        <Pill tone={qualityLabel(state.quality).tone}>{qualityLabel(state.quality).text}</Pill>
      </Fact>
      <Fact name={t('Limite')}>{limitText(state.dailyLimit)}</Fact>
      <Fact name={t('Nome que os contatos veem')}>
        <span className={css.named}>
          {state.name || '—'}
          <Pill tone={nameLabel(state.nameStatus).tone}>{nameLabel(state.nameStatus).text}</Pill>
        </span>
      </Fact>
      <Fact name={t('Verificação')}>{state.isVerified ? t('Número verificado') : t('Falta verificar por código')}</Fact>
    </dl>
  ) : (
    <p className={css.none}>
      {isConnected
        ? t('O provedor ainda não disse como o número está.')
        : t('Conecte o canal, ou leia de novo, para saber como o número está.')}
    </p>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
