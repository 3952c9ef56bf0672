import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { folded } from '../../fold.ts'
import { t } from '../../t.ts'
import { ChevronDownIcon } from '../icons.ts'
import { dress, type Edit } from './edit-text.ts'
import css from './phone-input.module.css'
import { loadPhones, type Phones } from './phone-rule.ts'
import type { NamedCountry } from './phones.ts'
import { useCaret } from './use-caret.ts'

/**
 * Input of a phone number with its country. `value` and the argument of `onChange` are a plus sign and digits: E.164 once
 * complete; a Brazilian mobile gets its ninth digit when the field is left. Without a plus sign the number belongs to the
 * chosen country; the button at the left opens the list of countries, searched by name, letters or code.
 */
export function PhoneInput({
  value,
  onChange,
  ...rest
}: Omit<TextInputProps, 'value' | 'onChange' | 'type'> & { value: string; onChange: (number: string) => void }) {
  const [phones, setPhones] = useState<Phones>()
  const [likely, setLikely] = useState('BR')
  useEffect(() => void loadPhones().then(setPhones), [])
  const show = (number: string) => phones?.shownPhone(number) ?? number
  const country = phones?.countryOf(value, likely)
  const read = (text: string) => phones?.readPhone(text, likely) ?? text
  const written = (edit: Edit) => {
    const behindPlus = edit.text.split('+').slice(1)
    if (behindPlus.some((part) => /\d/.test(part))) return dress(edit, (digits) => show(`+${digits}`))
    const text = show(read(edit.text))
    return { text, caret: text.length }
  }
  const { field, change } = useCaret(written, (text) => onChange(read(text)))
  return (
    <TextInput
      {...rest}
      ref={field}
      type="tel"
      value={show(value)}
      onChange={change(show(value))}
      onBlur={(event) => {
        const whole = phones?.wholePhone(value) ?? value
        if (whole !== value) onChange(whole)
        rest.onBlur?.(event)
      }}
      leftSectionWidth={62}
      leftSectionPointerEvents="all"
      leftSection={
        phones && (
          <CountryPicker
            countries={phones.countries}
            current={country}
            disabled={rest.disabled ?? false}
            onClose={() => field.current?.focus()}
            onPick={(next) => {
              setLikely(next.country)
              onChange(phones.inCountry(value, next.code))
            }}
          />
        )
      }
    />
  )
}

/** Whether a country matches a search: part of its name, its letters, or the start of its code. */
const isMeant = ({ name, country, code }: NamedCountry, search: string) =>
  folded(name).includes(search) || country.toLowerCase() === search || code.startsWith(search.replace(/^\+/, '') || '?')

function CountryPicker(props: {
  countries: readonly NamedCountry[]
  current: string | undefined
  disabled: boolean
  onClose: () => void
  onPick: (country: NamedCountry) => void
}) {
  const { countries, current, disabled, onClose, onPick } = props
  const { list, input, search, setSearch } = useCountryList(onClose)
  const own = countries.find((one) => one.country === current)
  return (
    <Combobox
      store={list}
      width={300}
      position="bottom-start"
      onOptionSubmit={(country) => {
        const next = countries.find((one) => one.country === country)
        if (next) onPick(next)
        list.closeDropdown()
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <button
          type="button"
          className={css.country}
          disabled={disabled}
          aria-label={t('País: {name}', { name: own ? `${own.name}, +${own.code}, ${current}` : t('desconhecido') })}
          aria-haspopup="listbox"
          aria-expanded={list.dropdownOpened}
          onClick={() => list.toggleDropdown()}
        >
          {current}
          <ChevronDownIcon size={14} />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          ref={input}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            list.selectFirstOption()
          }}
          placeholder={t('País ou código')}
          aria-label={t('Buscar país')}
        />
        <Countries found={countries.filter((one) => isMeant(one, folded(search.trim())))} current={current} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** State of the list of countries: its search, which has the focus while it is open. */
function useCountryList(onClose: () => void) {
  const [search, setSearch] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useCombobox({
    onDropdownClose: () => {
      setSearch('')
      list.resetSelectedOption()
      setTimeout(onClose) // after the list has given up the focus
    },
  })
  // In a layout effect: fast typing goes into the search, not into the previously focused element.
  useLayoutEffect(() => {
    if (list.dropdownOpened) input.current?.focus({ preventScroll: true })
  }, [list.dropdownOpened])
  return { list, input, search, setSearch }
}

function Countries({ found, current }: { found: readonly NamedCountry[]; current: string | undefined }) {
  return (
    <Combobox.Options className={css.countries} aria-label={t('Países')} tabIndex={0}>
      {found.length === 0 && <Combobox.Empty>{t('Nenhum país com esse nome')}</Combobox.Empty>}
      {found.map(({ country, name, code }) => (
        <Combobox.Option key={country} value={country} active={country === current} className={css.option}>
          <span className="g-cut">{name}</span>
          <span className="g-num">+{code}</span>
        </Combobox.Option>
      ))}
    </Combobox.Options>
  )
}
