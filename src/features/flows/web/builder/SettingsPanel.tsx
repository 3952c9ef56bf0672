import { Select, TextInput } from '@mantine/core'
import type { Ref } from 'react'
import { changeSettings, settingsIn } from '#domain/flow/edit.ts'
import type { Direction } from '#domain/flow/flow.ts'
import { idOf, isObject, isSet, type JsonObject, textOf } from '#domain/flow/json.ts'
import { fieldsOf, readConfigurations } from '#domain/flow/read.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import css from './builder.module.css'
import type { Draft } from './draft.ts'
import { type Destination, DestinationFields, ListText, WholeNumber } from './fields.tsx'
import { SidePanel } from './SidePanel.tsx'
import { TemplateText } from './TemplateText.tsx'

const kinds = ['none', 'queue', 'user', 'close', 'channel'] as const
const distributions = [
  { value: 'N', label: t('Não') },
  { value: 'R', label: t('Aleatória') },
  { value: 'B', label: t('Balanceada') },
  { value: 'S', label: t('Sequencial') },
]
const usualMinutes = 10
const usualTries = 3

/** Panel of a flow's settings for all of its steps. */
export function SettingsPanel(props: {
  draft: Draft
  captured: readonly string[]
  panel: Ref<HTMLElement>
  onClose: () => void
}) {
  const { draft, captured, panel, onClose } = props
  const { document } = draft.state.use()
  const settings = settingsIn(document)
  const read = readConfigurations(settings)
  const part = (name: string): JsonObject => {
    const found = settings[name]
    return isObject(found) ? fieldsOf(found) : {}
  }
  const set = (name: string, fields: JsonObject | readonly string[]) =>
    draft.edit((now) => changeSettings(now, name, fields), `settings/${name}/${Object.keys(fields).join()}`)
  const text = (name: string, label: string, value: string, hint?: string, key = 'message') => (
    <TemplateText
      {...{ label, value, captured }}
      {...(hint ? { hint } : {})}
      rows={2}
      onChange={(next) => set(name, { [key]: next })}
    />
  )
  const direction = (name: string, label: string, now: Direction | null) => (
    <DestinationFields
      label={label}
      offered={kinds}
      captured={captured}
      destination={{ kind: now?.to ?? 'none', value: part(name)['destiny'] }}
      onChange={({ kind, value }: Destination) =>
        set(name, {
          type: kind === 'none' || kind === 'node' ? null : kinds.indexOf(kind),
          destiny: kind === 'close' ? textOf(value) : idOf(value),
        })
      }
    />
  )
  const silent = part('notResponseMessage')
  const closing = settings['answerCloseTicket']
  return (
    <SidePanel kind={t('Fluxo')} title={t('Configurações')} panel={panel} onClose={onClose}>
      <section className={css.part}>
        <h3>{t('Início')}</h3>
        <TextInput
          label={t('Palavra chave para iniciar o fluxo')}
          description={t('Quem começa uma conversa com ela vem para este fluxo, por qualquer canal.')}
          value={read.keyword}
          maxLength={100}
          onChange={(event) => set('keyword', { message: event.currentTarget.value })}
        />
        <Select
          label={t('Também começa')}
          description={t('Ao ser resolvida, a conversa continua resolvida: o cliente só recebe o que o fluxo diz.')}
          allowDeselect={false}
          data={[
            { value: '', label: t('Em nenhum outro momento') },
            { value: 'entry', label: t('Em conversas novas que nenhum outro fluxo atende') },
            { value: 'closing', label: t('Quando uma conversa é resolvida') },
          ]}
          value={read.startsOn ?? ''}
          onChange={(type) => set('startsOn', { type: type || null })}
        />
        {direction('firstInteraction', t('Na primeira interação do contato'), read.firstInteraction)}
        {direction('outOpenHours', t('Fora do horário'), read.outOpenHours)}
      </section>
      <section className={css.part}>
        <h3>{t('Quando o cliente não é entendido')}</h3>
        {text('notOptionsSelectMessage', t('Mensagem de feedback'), read.feedback.text)}
        <SwitchRow
          name={t('Voltar ao início do fluxo')}
          effect={t('Desligado, repete a etapa em que está.')}
          checked={read.feedback.returnsToStart}
          onChange={(isOn) => set('notOptionsSelectMessage', { stepReturn: isOn ? 'S' : 'A' })}
        />
        <WholeNumber
          label={t('Máximo de tentativas do chatbot')}
          value={part('maxRetryBotMessage')['number']}
          usual={usualTries}
          min={1}
          max={99}
          onChange={(number) => set('maxRetryBotMessage', { number })}
        />
        <DestinationFields
          label={t('Depois delas')}
          offered={kinds.slice(1)}
          captured={captured}
          destination={{ kind: read.tries.direction.to, value: part('maxRetryBotMessage')['destiny'] }}
          onChange={({ kind, value }) =>
            set('maxRetryBotMessage', {
              type: kinds.indexOf(kind as (typeof kinds)[number]),
              destiny: kind === 'close' ? textOf(value) : idOf(value),
            })
          }
        />
      </section>
      <section className={css.part}>
        <h3>{t('Ausência de resposta')}</h3>
        {direction('notResponseMessage', t('Quando o cliente não responde'), read.silence?.direction ?? null)}
        {read.silence && (
          <>
            <WholeNumber
              label={t('Minutos')}
              value={silent['time']}
              usual={usualMinutes}
              min={1}
              max={43_200}
              onChange={(time) => set('notResponseMessage', { time })}
            />
            {text('notResponseMessage', t('Mensagem'), read.silence.text)}
            <SwitchRow
              name={t('Avisar na metade do tempo')}
              checked={isSet(silent['messageWarningEnabled'])}
              onChange={(isOn) => set('notResponseMessage', { messageWarningEnabled: isOn })}
            />
            {isSet(silent['messageWarningEnabled']) &&
              text('notResponseMessage', t('Aviso'), textOf(silent['messageWarning']), undefined, 'messageWarning')}
          </>
        )}
      </section>
      <section className={css.part}>
        <h3>{t('Quando uma pessoa recebe')}</h3>
        {text('welcomeMessage', t('Mensagem de saudação'), read.welcome)}
        <Select
          label={t('Auto distribuir o atendimento')}
          allowDeselect={false}
          data={distributions}
          value={read.distribution}
          onChange={(type) => set('autoDistributeTickets', { type })}
        />
      </section>
      <section className={css.part}>
        <h3>{t('Encerramento')}</h3>
        {text('farewellMessage', t('Mensagem de encerramento'), read.farewell)}
        <ListText
          label={t('Palavras que encerram o atendimento')}
          hint={t('Uma por linha.')}
          texts={read.closingAnswers}
          onChange={(texts) => set('answerCloseTicket', isObject(closing) ? { message: texts } : texts)}
        />
      </section>
    </SidePanel>
  )
}
