import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SettingItem } from '../../../src/server/rpc/api.ts';

interface SettingFieldProps {
  readonly setting: SettingItem;
  readonly isDisabled: boolean;
  /** Called with the value as on a command line; empty for the default. */
  readonly onChange: (value: string) => void;
}

/** A setting with its description and the control that its type needs. */
export function SettingField({ setting, isDisabled, onChange }: SettingFieldProps): VNode {
  const { key, label, description, origin } = setting;
  const isSet = origin !== 'default';
  return (
    <div class="setting">
      <label class="setting-text" for={`setting-${key}`}>
        <span class="setting-name">{label}</span>
        <span class="setting-hint">
          {description.replaceAll('`', '')} <code>{key}</code>
        </span>
      </label>
      {isSet && !isDisabled ? (
        <button type="button" class="quiet" onClick={() => onChange('')}>
          Use default<span class="hidden"> of {key}</span>
        </button>
      ) : null}
      <Control setting={setting} isDisabled={isDisabled} onChange={onChange} />
    </div>
  );
}

function Control({ setting, isDisabled, onChange }: SettingFieldProps): VNode {
  const { key, type, value, choices = {} } = setting;
  const isOn = String(value) === 'true';
  const common = { id: `setting-${key}`, disabled: isDisabled };
  if (type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        role="switch"
        class="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  if (type === 'choice')
    return (
      <select
        {...common}
        value={value === null ? '' : String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {setting.default === null ? <option value="">Not set</option> : null}
        {Object.entries(choices).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
    );
  return <TextControl setting={setting} isDisabled={isDisabled} onChange={onChange} />;
}

/** Saved when the field is left, or on Enter. */
function TextControl({ setting, isDisabled, onChange }: SettingFieldProps): VNode {
  const saved = setting.value === null ? '' : String(setting.value);
  const [text, setText] = useState(saved);
  // Also after a value that was not allowed.
  useEffect(() => setText(saved), [setting]);
  const isNumber = setting.type === 'integer' || setting.type === 'number';
  const save = () => {
    if (text.trim() !== saved) onChange(text.trim());
  };
  return (
    <input
      id={`setting-${setting.key}`}
      disabled={isDisabled}
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      class={isNumber ? 'number-input' : 'text-input'}
      placeholder="Not set"
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
      }}
    />
  );
}
