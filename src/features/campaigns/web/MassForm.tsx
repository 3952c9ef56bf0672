import { Button, FileButton, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { costOf, priceOf } from '#domain/campaigns/cost.ts'
import { hasLines, isOfTemplates, type MassKind } from '#domain/campaigns/mass.ts'
import { smsPartsOf } from '#domain/messages/sms.ts'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { loadTemplateChoice } from '#features/message-templates/web/index.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { TemplateInput } from '#web/fields/template.tsx'
import { formatMoney, formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { settingText } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { FileChoice } from '#web/ui/inputs/FileChoice.tsx'
import { Fields, Notice, Pair, Segments } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { Campaign } from '../contract.ts'
import { MOST_LETTERS } from '../forms.ts'
import { dispatches } from '../mass-addresses.ts'
import css from './campaigns.module.css'
import { formOf } from './form-values.ts'
import { listOf, readEntries } from './mass-entries.ts'
import { PurposeSelect } from './PurposeSelect.tsx'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())
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

/** What one kind of message to lists needs: by which channels, how fast, what, and to whom. */
export function MassForm({ kind }: { kind: MassKind }) {
  const connections = useChoices('connections').filter(({ type, isAllowed }) => {
    const { begins, smsParts, templates } = capabilitiesOf(type)
    const isCarried = kind === 'sms' ? smsParts : isOfTemplates(kind) ? templates : !smsParts
    return isAllowed && begins === 'anyone' && isCarried
  })
  const [tags, stages] = [useChoices('tags'), useChoices('stages')]
  const [sessionIds, setSessions] = useState<readonly number[]>([])
  const [[min, max], setSeconds] = useState<readonly [number, number]>([15, 30])
  const [message, setMessage] = useState('')
  const [template, setTemplate] = useState<Campaign['template']>(null)
  const [file, setFile] = useState<File | null>(null)
  const [mediaUrl, setMediaUrl] = useState('')
  const [purpose, setPurpose] = useState<Campaign['purpose']>('marketing')
  const [way, setWay] = useState<'lines' | 'contacts' | 'groups'>('lines')
  const [text, setText] = useState('')
  const [contacts, setContacts] = useState<readonly number[]>([])
  const [chosenTags, setTags] = useState<readonly number[]>([])
  const [kanban, setKanban] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const lines = readEntries(text, hasLines(kind))
  const sms = kind === 'sms' ? smsPartsOf(message) : null
  const price = kind === 'sms' ? priceOf(settingText('priceSms')) : null
  const to = {
    lines: way === 'lines' || hasLines(kind) ? lines : [],
    contacts: way === 'contacts' && !hasLines(kind) ? [...contacts] : [],
    tags: way === 'groups' && !hasLines(kind) ? [...chosenTags] : [],
    kanban: way === 'groups' && !hasLines(kind) ? [...kanban] : [],
  }
  // What is no number is named when it is sent.
  const readList = async (list: File | null) => {
    if (list) setText(listOf(await list.text(), hasLines(kind)))
  }
  const send = async () => {
    const count = to.lines.length + to.contacts.length
    const sure = await confirm({
      title: t('Disparar agora?'),
      text:
        count > 0
          ? t('A mensagem vai a {count}.', { count: plural(count, t('contato'), t('contatos')) })
          : t('A mensagem vai a todos os contatos do que você escolheu.'),
      action: t('Disparar'),
      tone: 'brand',
    })
    if (!sure) return
    setBusy(true)
    setProblems({})
    try {
      const fields = { kind, sessionIds: [...sessionIds], min, max, message, template, mediaUrl, purpose, ...to }
      const body = file ? formOf(fields, file) : fields
      const made = await call(dispatches.create, { body: body as never }, { long: true, quiet: true })
      notify({
        tone: 'pos',
        title: t('Disparo a caminho de {count}', {
          count: plural(made.contactsCount, t('contato'), t('contatos')),
        }),
      })
      setMessage('')
      setFile(null)
      setMediaUrl('')
      setText('')
      setContacts([])
    } catch (error) {
      const details = isApiError(error) ? (error.details as Record<string, unknown>) : {}
      const reasons = details['reasons']
      const isOfFields = isApiError(error) && error.code === 'ERR_VALIDATION'
      setProblems(
        isOfFields
          ? (details as Record<string, string>)
          : { '': Array.isArray(reasons) ? reasons.join(' ') : sentence(error) },
      )
    }
    setBusy(false)
  }
  const isReady = sessionIds.length > 0 && (isOfTemplates(kind) ? template !== null : message.trim() !== '')
  return (
    <Card title={t('Novo disparo')}>
      <Suspense>
        <Fields>
          {isOfTemplates(kind) ? (
            <Select
              label={t('Enviar por')}
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
              {t('{parts} por contato, {left} livres.', {
                parts: plural(sms.parts, t('SMS'), t('SMS')),
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
          {!hasLines(kind) && (
            <Segments
              label={t('Quem recebe')}
              value={way}
              options={[
                { value: 'lines', label: t('Números') },
                { value: 'contacts', label: t('Contatos') },
                { value: 'groups', label: t('Etiqueta ou etapa') },
              ]}
              onChange={setWay}
            />
          )}
          {(way === 'lines' || hasLines(kind)) && (
            <>
              <Textarea
                label={hasLines(kind) ? t('Números e variáveis') : t('Números')}
                description={
                  hasLines(kind)
                    ? t('Uma linha por contato: número,variável 1,variável 2…')
                    : t('Um por linha, com DDD. Um número novo vira contato.')
                }
                rows={6}
                value={text}
                error={problems['lines']}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <FileButton inputProps={emptiedOnClick} accept=".csv,.txt" onChange={(list) => void readList(list)}>
                {(button) => (
                  <Button {...button} variant="default" className={css.listFile}>
                    {t('Ler números de um CSV')}
                  </Button>
                )}
              </FileButton>
            </>
          )}
          {way === 'contacts' && !hasLines(kind) && (
            <ContactChoice
              chosen={contacts}
              onChoose={(id) =>
                setContacts(contacts.includes(id) ? contacts.filter((one) => one !== id) : [...contacts, id])
              }
            />
          )}
          {way === 'groups' && !hasLines(kind) && (
            <>
              <ManyChoice label={t('Etiquetas')} none={none} options={tags} chosen={chosenTags} onChange={setTags} />
              <ManyChoice
                label={t('Etapas do kanban')}
                none={none}
                options={stages}
                chosen={kanban}
                onChange={setKanban}
              />
            </>
          )}
          {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
          <div className={css.footer}>
            {to.lines.length > 0 && (
              <span className={css.hint}>
                {plural(to.lines.length, t('linha'), t('linhas'))}
                {sms && ` · ${t('{count} SMS', { count: formatNumber(sms.parts * to.lines.length) })}`}
                {sms &&
                  price !== null &&
                  ` · ${formatMoney(costOf(price, { count: to.lines.length, parts: sms.parts }))}`}
              </span>
            )}
            <BusyButton busy={busy} doing={t('Disparando')} disabled={!isReady} onClick={() => void send()}>
              {t('Disparar')}
            </BusyButton>
          </div>
        </Fields>
      </Suspense>
    </Card>
  )
}
