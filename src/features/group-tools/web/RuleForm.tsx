import { NumberInput, Textarea, TextInput } from '@mantine/core'
import type { GroupRuleKind } from '#domain/groups/tools.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { call } from '#web/client.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { groupRules } from '../addresses.ts'
import type { GroupRule } from '../contract.ts'
import { ruleForm } from '../forms.ts'
import { ChannelChoice, GroupChoice, useGroups } from './choices.tsx'
import { RULES } from './rule-texts.ts'

type Values = {
  whatsappId: number | null
  groupId: string
  value: string
  deletes: boolean
  warning: string
  removeAfter: number | string
}

const empty: Values = { whatsappId: null, groupId: '', value: '', deletes: true, warning: '', removeAfter: '' }

const valuesOf = ({ kind, whatsappId, groupId, value, deletes, warning, removeAfter }: GroupRule): Values => ({
  ...{ whatsappId, groupId, deletes, warning, removeAfter: removeAfter ?? '' },
  value: kind === 'ban' ? formatPhone(value) : value,
})

const bodyOf = (kind: GroupRuleKind, { whatsappId, removeAfter, ...rest }: Values) => ({
  ...{ kind, ...rest },
  ...(whatsappId === null ? {} : { whatsappId }),
  removeAfter: removeAfter === '' ? null : Number(removeAfter),
})

/** Drawer of one greeting, farewell, banned number or forbidden word; 'novo' creates one. */
export function RuleForm({ kind, id, onClose }: { kind: GroupRuleKind; id: string; onClose: () => void }) {
  const texts = RULES[kind]
  const isNew = id === 'novo'
  const row = useRow(groupRules.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker: { safeParse: (given: Values) => ruleForm.safeParse(bodyOf(kind, given)) },
    onClose,
  })
  const groups = useGroups(values.whatsappId)
  const send = async () => {
    const body = bodyOf(kind, values) as never
    if (isNew) await call(groupRules.create, { body }, { quiet: true })
    else await call(groupRules.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Item salvo')
  }
  return (
    <FormDrawer {...drawer} onSave={() => void save(send)} title={isNew ? texts.add : texts.one} size={480}>
      <ChannelChoice
        label={t('Canal')}
        required
        value={values.whatsappId}
        error={errors['whatsappId']}
        onChange={(next) => {
          set('whatsappId', next)
          if (next !== values.whatsappId) set('groupId', '')
        }}
      />
      <GroupChoice
        groups={groups}
        value={values.groupId}
        error={errors['groupId']}
        onChange={(next) => set('groupId', next)}
      />
      <ValueField kind={kind} values={values} errors={errors} set={set} />
      {kind === 'word' && <WordFields errors={errors} values={values} set={set} />}
    </FormDrawer>
  )
}

function WordFields({ errors, values, set }: { errors: FieldErrors; values: Values; set: SetField<Values> }) {
  return (
    <>
      <SwitchRow
        name={t('Apagar a mensagem')}
        effect={errors['deletes'] ?? t('Para todos do grupo, e também aqui.')}
        checked={values.deletes}
        onChange={(isOn) => set('deletes', isOn)}
      />
      <Textarea
        label={t('Aviso')}
        description={t('Vai ao grupo. {{name}} é quem escreveu. Vazio: sem aviso.')}
        rows={2}
        maxLength={500}
        value={values.warning}
        error={errors['warning']}
        onChange={(event) => set('warning', event.currentTarget.value)}
      />
      <NumberInput
        label={t('Remover o autor depois de quantas vezes')}
        description={t('Vazio: ninguém é removido.')}
        min={1}
        max={100}
        allowDecimal={false}
        value={values.removeAfter}
        error={errors['removeAfter']}
        onChange={(next) => set('removeAfter', next)}
      />
    </>
  )
}

function ValueField(props: { kind: GroupRuleKind; values: Values; errors: FieldErrors; set: SetField<Values> }) {
  const { kind, values, errors, set } = props
  const texts = RULES[kind]
  return kind === 'greeting' || kind === 'farewell' ? (
    <Textarea
      label={texts.value}
      required
      description={texts.hint}
      rows={5}
      maxLength={1000}
      value={values.value}
      error={errors['value']}
      onChange={(event) => set('value', event.currentTarget.value)}
    />
  ) : (
    <TextInput
      label={texts.value}
      required
      description={texts.hint}
      maxLength={kind === 'word' ? 100 : 40}
      value={values.value}
      error={errors['value']}
      onChange={(event) => set('value', event.currentTarget.value)}
    />
  )
}
