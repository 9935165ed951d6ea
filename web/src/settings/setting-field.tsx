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
  const { key, description, origin } = setting;
  const isSet = origin !== 'default';
  return (
    <div class="setting">
      <label class="setting-text" for={`setting-${key}`}>
        <span class="setting-name">{nameOf(key)}</span>
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
  const { key, type, value, allowed = [] } = setting;
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
        {allowed.map((choice) => (
          <option key={choice} value={choice}>
            {CHOICES[key]?.[choice] ?? choice}
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

const NAMES: Readonly<Record<string, string>> = {
  'retrieval.enabled': 'Memory',
  'retrieval.autoInject': 'Brief agents',
  'retrieval.warnOnDuplicateFailure': 'Warn before a repeated failure',
  'retrieval.failureLookbackDays': 'Days to warn about a failure',
  'retrieval.minConfidence': 'Minimum confidence',
  'retrieval.maxContextSize': 'Length of briefings',
  'retrieval.onDuplicate': 'How to warn',
  'retrieval.crossProject': 'Learn from other projects',
  'model.name': 'Model',
  'model.smallName': 'Smaller model',
  'model.baseUrl': 'Server address',
};

/** What the values of a setting mean, where they are not names themselves. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'retrieval.onDuplicate': { denyOnce: 'Deny once', ask: 'Ask me', note: 'Only tell the agent' },
};

/** The name of a setting; of one that has no name here, its key in words. */
function nameOf(key: string): string {
  const words = (key.split('.').at(-1) ?? key).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return NAMES[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
