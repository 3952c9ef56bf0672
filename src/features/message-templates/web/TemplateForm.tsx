import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { draftProblems, TEMPLATE_LIMITS } from '#domain/message-templates/draft.ts'
import { namesIn, type TemplateCategory, type TemplateContent } from '#domain/message-templates/template.ts'
import { firstOf } from '#domain/present.ts'
import { toError } from '#kit/errors.ts'
import { call } from '#web/client.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Notice, Pair, Segments, TextArea } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { messageTemplates } from '../addresses.ts'
import type { MessageTemplateRow } from '../contract.ts'
import { templateChanges, templateForm } from '../forms.ts'
import { CATEGORIES } from '../table.ts'
import { BodyField } from './BodyField.tsx'
import { ButtonsField } from './ButtonsField.tsx'
import { CodeFields } from './CodeFields.tsx'
import { HeaderField } from './HeaderField.tsx'
import { LANGUAGES, languageName } from './languages.ts'
import { refusalText, rejectionText } from './provider-texts.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import css from './template-form.module.css'

type Values = Omit<TemplateContent, 'isForeign'> & {
  whatsappId: number | null
  name: string
  language: string
  category: TemplateCategory
}

const empty: Values = {
  ...{ whatsappId: null, name: '', language: 'pt_BR', category: 'UTILITY', format: 'POSITIONAL' },
  ...{ header: null, body: '', samples: {}, footer: '', buttons: [] },
}

/** Initial values of an authentication template, and of any other. */
const ofCode = {
  ...{ category: 'AUTHENTICATION', format: 'POSITIONAL', header: null, body: '', samples: {}, footer: '' },
  ...{ code: { isWarned: true, minutes: 10 }, buttons: [{ kind: 'otp', text: t('Copiar código') }] },
} as const
const ofText = { code: undefined, body: '', samples: {}, footer: '', buttons: [] }

const contentOf = ({ category, format, header, body, samples, footer, buttons, code }: Values) => ({
  ...{ category, format, header, body, footer, buttons },
  ...(code ? { code } : {}),
  // A variable that is written no more needs no sample.
  samples: Object.fromEntries(namesIn(body).map((name) => [name, samples[name] ?? ''])),
})

/** Returns the form values of an existing template; its file must be uploaded to the provider again. */
function valuesOf(row: MessageTemplateRow): Values {
  const { whatsappId, name, language, category, format, header, body, samples, footer, buttons, code } = row
  const above = header && header.kind !== 'text' ? { kind: header.kind } : header
  return { whatsappId, name, language, category, format, header: above, body, samples, footer, buttons, code }
}

/** Drawer of a template: `id`, or 'novo', optionally copied from the template `from`. */
export function TemplateForm(props: {
  id: string
  from: string | undefined
  connections: readonly { id: number; name: string }[]
  onClose: () => void
}) {
  const { id, from, connections, onClose } = props
  const isNew = id === 'novo'
  const row = useRow(messageTemplates.get, isNew ? (from ?? 'novo') : id)
  const [isTried, setTried] = useState(false)
  const only = connections.length === 1 ? firstOf(connections).id : null
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(
    { ...empty, whatsappId: only },
    {
      stored: storedOf(row.data, id, from),
      reading: row,
      checker: checkerOf(isNew),
      onWrong: () => setTried(true),
      onClose,
    },
  )
  const problems = isTried ? draftProblems({ ...values, name: isNew ? values.name : 'x' }) : {}
  const isForeign = !isNew && row.data?.isForeign
  const send = () => sendTemplate(values, isNew ? null : Number(id))
  return (
    <FormDrawer
      {...drawer}
      onSave={() => (isForeign ? notify({ tone: 'warn', title: FOREIGN }) : void save(send))}
      title={isNew ? t('Novo modelo') : (row.data?.name ?? t('Modelo'))}
      sub={isNew ? t('Vai para a análise do provedor ao salvar') : row.data && languageName(row.data.language)}
      saveLabel={t('Enviar para análise')}
      size={860}
    >
      <div className={css.columns}>
        <div className={css.fields}>
          {isForeign && <Notice tone="warn">{FOREIGN}</Notice>}
          {row.data?.reason && !isNew && (
            <Notice tone="neg">{t('O provedor recusou: {reason}', { reason: rejectionText(row.data.reason) })}</Notice>
          )}
          {isNew && (
            <IdentityFields connections={connections} values={values} errors={errors} problems={problems} set={set} />
          )}
          <CategoryField values={values} isNew={isNew} set={set} />
          {values.code ? (
            <CodeFields
              code={values.code}
              button={values.buttons[0]}
              problems={problems}
              onCode={(code) => set('code', code)}
              onButton={(button) => set('buttons', [button])}
            />
          ) : (
            <TextFields values={values} errors={errors} problems={problems} set={set} />
          )}
        </div>
        <Preview values={values} />
      </div>
    </FormDrawer>
  )
}

type FieldProps = {
  values: Values
  errors: FieldErrors
  problems: Readonly<Record<string, string>>
  set: SetField<Values>
}

/** Fields of a new template's channel, name and language, which cannot be changed later. */
function IdentityFields(props: FieldProps & { connections: readonly { id: number; name: string }[] }) {
  const { connections, values, errors, problems, set } = props
  return (
    <>
      {connections.length > 1 && (
        <Select
          label={t('Canal')}
          allowDeselect={false}
          data={connections.map((one) => ({ value: String(one.id), label: one.name }))}
          value={values.whatsappId === null ? null : String(values.whatsappId)}
          error={errors['whatsappId']}
          onChange={(next) => set('whatsappId', next === null ? null : Number(next))}
        />
      )}
      <Pair>
        <TextInput
          data-autofocus
          label={t('Nome')}
          description={t('Letras minúsculas, números e _')}
          maxLength={TEMPLATE_LIMITS.name}
          value={values.name}
          error={errors['name'] ?? problems['name']}
          onChange={(event) => set('name', nameOf(event.currentTarget.value))}
        />
        <Select
          searchable
          label={t('Idioma')}
          description={t('Em que o modelo é escrito')}
          allowDeselect={false}
          data={LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
          value={values.language}
          error={errors['language']}
          onChange={(next) => next && set('language', next)}
        />
      </Pair>
    </>
  )
}

/** Choice of the category; the fields of an authentication template replace those of a text, and the reverse. */
function CategoryField({ values, isNew, set }: Pick<FieldProps, 'values' | 'set'> & { isNew: boolean }) {
  const changeCategory = (category: TemplateCategory) => {
    const isCode = category === 'AUTHENTICATION'
    const begun = isCode === (values.code !== undefined) ? {} : isCode ? ofCode : ofText
    for (const [field, value] of Object.entries({ ...begun, category })) set(field as keyof Values, value)
  }
  return (
    <Segments
      label={t('Categoria')}
      value={values.category}
      options={(['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const)
        // A text template stays one, and so does an authentication template.
        .filter((value) => isNew || (value === 'AUTHENTICATION') === (values.code !== undefined))
        .map((value) => ({ value, label: CATEGORIES[value] }))}
      onChange={changeCategory}
      hint={HINTS[values.category]}
    />
  )
}

/** Fields of a template with a text of its own. */
function TextFields({ values, errors, problems, set }: FieldProps) {
  return (
    <>
      <HeaderField
        header={values.header}
        format={values.format}
        whatsappId={values.whatsappId}
        problem={problems['header'] ?? errors['header']}
        onChange={(header) => set('header', header)}
      />
      <BodyField
        values={values}
        problems={problems}
        problem={problems['body'] ?? errors['body']}
        onFormat={(format) => set('format', format)}
        onBody={(body) => set('body', body)}
        onSamples={(samples) => set('samples', samples)}
      />
      <TextArea
        grow
        label={t('Rodapé')}
        maxLength={TEMPLATE_LIMITS.footer}
        value={values.footer}
        error={problems['footer'] ?? errors['footer']}
        onChange={(event) => set('footer', event.currentTarget.value.replaceAll('\n', ' '))}
      />
      <ButtonsField buttons={values.buttons} problems={problems} onChange={(buttons) => set('buttons', buttons)} />
    </>
  )
}

/** Preview of the message, with the samples as values. */
function Preview({ values }: { values: Values }) {
  return (
    <aside className={css.aside}>
      <h3>{t('Como será lido')}</h3>
      {values.code && values.body === '' ? (
        <p>{t('O provedor escreve o texto, no idioma do modelo: o código, e o que você escolher aqui.')}</p>
      ) : (
        <TemplatePreview template={values} values={samplesOf(values)} />
      )}
    </aside>
  )
}

/** Returns the stored values of the form: null for an empty one, undefined while they load. */
function storedOf(row: MessageTemplateRow | undefined, id: string, from: string | undefined) {
  const isNew = id === 'novo'
  if (isNew && from === undefined) return null
  // A copy gets its own name.
  return row && { ...valuesOf(row), ...(isNew ? { name: '' } : {}) }
}

/** Returns the check of the body that is sent. */
const checkerOf = (isNew: boolean) => ({
  safeParse: (all: Values) => {
    const { whatsappId, name, language } = all
    return isNew
      ? templateForm.safeParse({ whatsappId: whatsappId ?? undefined, name, language, ...contentOf(all) })
      : templateChanges.safeParse(contentOf(all))
  },
})

/** Sends a template to the provider's review, as a new one if `id` is null. */
async function sendTemplate(values: Values, id: number | null): Promise<string> {
  const { whatsappId, name, language } = values
  const content = contentOf(values)
  const options = { quiet: true, long: true }
  try {
    if (id === null)
      await call(messageTemplates.create, { body: { whatsappId, name, language, ...content } as never }, options)
    else await call(messageTemplates.update, { params: { id }, body: content as never }, options)
  } catch (error) {
    throw Object.assign(toError(error), { message: refusalText(error) })
  }
  return t('Modelo enviado para análise')
}

const HINTS: Readonly<Record<TemplateCategory, string>> = {
  MARKETING: t('Ofertas, novidades e convites.'),
  UTILITY: t('O que o cliente espera: pedido, entrega, cobrança, horário.'),
  AUTHENTICATION: t('Um código para entrar ou confirmar; o provedor escreve o texto.'),
}

const FOREIGN = t('Este modelo tem partes que não são escritas por aqui. Altere-o no provedor.')

/** Returns a typed name in the spelling that the provider accepts. */
const nameOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

const samplesOf = ({ header, samples }: Values): Record<string, string> => ({
  ...samples,
  ...(header?.kind === 'text' && header.sample ? { header: header.sample } : {}),
})
