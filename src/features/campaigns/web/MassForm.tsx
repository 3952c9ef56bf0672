import { NumberInput, Select, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { hasLines, isOfTemplates, type MassKind } from '#domain/campaigns/mass.ts'
import { smsPartsOf } from '#domain/messages/sms.ts'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { loadTemplateChoice } from '#features/message-templates/web/index.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { FileChoice } from '#web/ui/inputs/FileChoice.tsx'
import { Fields, Notice, Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { Campaign, CampaignPlan } from '../contract.ts'
import { MOST_LETTERS } from '../forms.ts'
import { dispatches } from '../mass-addresses.ts'
import css from './campaigns.module.css'
import { formOf } from './form-values.ts'
import { MassPlan } from './MassPlan.tsx'
import { MassTo, NOBODY, type Recipients, sentTo } from './mass-to.tsx'
import { PurposeSelect } from './PurposeSelect.tsx'

const TemplateChoice = lazyPart(loadTemplateChoice)

const none = t('Nenhuma opção com esse nome')
const { name, firstName } = TEMPLATE_VARIABLES

const messageField = (kind: MassKind): TemplateField => ({
  kind: 'template',
  label: t('Mensagem'),
  max: MOST_LETTERS,
  variables: {
    ...{ firstName, name },
    ...(hasLines(kind) ? { var1: t('Variável 1'), var2: t('Variável 2'), var3: t('Variável 3') } : {}),
  },
})

/** Form of one kind of message to lists: connections, pace, content, recipients. */
export function MassForm({ kind }: { kind: MassKind }) {
  const connections = useChoices('connections').filter(({ type, isAllowed }) => {
    const { begins, smsParts, templates } = capabilitiesOf(type)
    const isCarried = kind === 'sms' ? smsParts : isOfTemplates(kind) ? templates : !smsParts
    return isAllowed && begins === 'anyone' && isCarried
  })
  const [sessionIds, setSessions] = useState<readonly number[]>([])
  const [[min, max], setSeconds] = useState<readonly [number, number]>([15, 30])
  const [message, setMessage] = useState('')
  const [template, setTemplate] = useState<Campaign['template']>(null)
  const [file, setFile] = useState<File | null>(null)
  const [mediaUrl, setMediaUrl] = useState('')
  const [purpose, setPurpose] = useState<Campaign['purpose']>('marketing')
  const [closeTicket, setClosing] = useState(true)
  const [to, setTo] = useState<Recipients>(NOBODY)
  const [plan, setPlan] = useState<CampaignPlan | null>(null)
  // A repeat after a lost response is the same dispatch.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const sms = kind === 'sms' ? smsPartsOf(message) : null
  const fields = {
    ...{ kind, sessionIds: [...sessionIds], min, max, message, template, mediaUrl, purpose, closeTicket },
    ...sentTo(to, kind),
  }
  const tried = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblems({})
    try {
      await work()
    } catch (error) {
      setProblems(problemsOf(error))
      setPlan(null)
    }
    setBusy(false)
  }
  const look = () =>
    tried(async () => setPlan(await call(dispatches.plan, { body: fields }, { long: true, quiet: true })))
  const send = () =>
    tried(async () => {
      const whole = { ...fields, idFront: requestId }
      const body = file ? formOf(whole, file) : whole
      const made = await call(dispatches.create, { body: body as never }, { long: true, quiet: true })
      notify({
        tone: 'pos',
        title: t('Disparo a caminho de {count}', { count: plural(made.contactsCount, t('contato'), t('contatos')) }),
      })
      setPlan(null)
      setRequestId(crypto.randomUUID())
      setMessage('')
      setFile(null)
      setMediaUrl('')
      setTo({ ...NOBODY, way: to.way })
    })
  const isReady = sessionIds.length > 0 && (isOfTemplates(kind) ? template !== null : message.trim() !== '')
  return (
    <Card title={t('Novo disparo')}>
      <Suspense>
        <div className={css.halves}>
          <Fields>
            {connections.length === 0 ? (
              // A list without options cannot be used by a screen reader.
              <Select
                label={t('Enviar por')}
                placeholder={
                  isOfTemplates(kind)
                    ? t('Nenhum canal com modelos. Adicione um em Canais.')
                    : t('Nenhum canal que envie assim. Adicione um em Canais.')
                }
                disabled
              />
            ) : isOfTemplates(kind) ? (
              <Select
                label={t('Enviar por')}
                placeholder={t('Escolha o canal')}
                allowDeselect={false}
                data={connections.map((one) => ({ value: String(one.id), label: one.name }))}
                value={sessionIds[0] === undefined ? null : String(sessionIds[0])}
                error={problems['sessionIds']}
                onChange={(id) => {
                  setSessions([Number(id)])
                  setTemplate(null)
                }}
              />
            ) : (
              <ManyChoice
                label={t('Enviar por')}
                hint={t('Vários canais se revezam.')}
                none={none}
                options={connections}
                chosen={sessionIds}
                error={problems['sessionIds']}
                onChange={setSessions}
              />
            )}
            <Pair>
              <NumberInput
                label={t('Mínimo (segundos)')}
                min={0}
                allowDecimal={false}
                value={min}
                error={problems['min']}
                onChange={(next) => setSeconds([Number(next), Math.max(max, Number(next))])}
              />
              <NumberInput
                label={t('Máximo (segundos)')}
                min={0}
                allowDecimal={false}
                value={max}
                error={problems['max']}
                onChange={(next) => setSeconds([min, Number(next)])}
              />
            </Pair>
            <PurposeSelect value={purpose} onChange={setPurpose} />
            {isOfTemplates(kind) ? (
              sessionIds[0] !== undefined && (
                <TemplateChoice whatsappId={sessionIds[0]} template={template} onChange={setTemplate} />
              )
            ) : (
              <TemplateInput
                field={messageField(kind)}
                look={{ rows: 4 }}
                value={message}
                error={problems['message']}
                onChange={setMessage}
              />
            )}
            {sms && message !== '' && (
              <p className={css.hint}>
                {message.includes('{{')
                  ? t('{parts} por contato, sem contar o que as variáveis trazem.', { parts: partsText(sms.parts) })
                  : t('{parts} por contato, {left} livres.', {
                      parts: partsText(sms.parts),
                      left: plural(sms.left, t('caractere'), t('caracteres')),
                    })}
              </p>
            )}
            {kind !== 'sms' && <FileChoice name={file?.name} onChange={setFile} onRemove={() => setFile(null)} />}
            {kind !== 'sms' && !file && (
              <TextInput
                label={t('Ou o link de um arquivo')}
                placeholder={t('https://')}
                maxLength={2000}
                value={mediaUrl}
                error={problems['mediaUrl']}
                onChange={(event) => setMediaUrl(event.currentTarget.value)}
              />
            )}
          </Fields>
          <Fields>
            {isOfTemplates(kind) && (
              <SwitchGroup>
                <SwitchRow
                  name={t('Fechar atendimento após o envio')}
                  effect={t('Vale também para quem está sendo atendido neste canal.')}
                  checked={closeTicket}
                  onChange={setClosing}
                />
              </SwitchGroup>
            )}
            <MassTo
              kind={kind}
              sessionIds={sessionIds}
              to={to}
              problems={problems}
              onChange={(change) => setTo({ ...to, ...change })}
            />
            {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
            <div className={css.footer}>
              {fields.lines.length > 0 && (
                <span className={css.hint}>{plural(fields.lines.length, t('linha'), t('linhas'))}</span>
              )}
              <BusyButton busy={busy && !plan} doing={t('Conferindo')} disabled={!isReady} onClick={() => void look()}>
                {t('Conferir e disparar')}
              </BusyButton>
            </div>
          </Fields>
        </div>
      </Suspense>
      {plan && <MassPlan plan={plan} busy={busy} onSend={() => void send()} onClose={() => setPlan(null)} />}
    </Card>
  )
}

const partsText = (parts: number): string => plural(parts, t('SMS'), t('SMS'))

/** Returns errors by field; those without a field under ''. */
function problemsOf(error: unknown): Readonly<Record<string, string>> {
  const details = isApiError(error) ? error.details : {}
  if (isApiError(error) && error.code === 'ERR_VALIDATION') return details as Record<string, string>
  const { reasons } = details
  return { '': Array.isArray(reasons) ? reasons.join(' ') : sentence(error) }
}
