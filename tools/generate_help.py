# SPDX-License-Identifier: MIT
"""Make completion for bash, zsh and fish and a manual page for each verb of what `wavetape VERB --help` prints, which argp
makes of the tables of options.

generate_help.py COMMAND DATE OUTPUT_DIRECTORY VERB...
DATE is that of the manual pages, as mdoc has it. The verbs are those that the build expects; it is an error if the command
has others.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys


@dataclasses.dataclass
class Option:
    short: str      # one letter, or ""
    long: str
    value: str      # the name of its value, or ""
    text: str
    group: str      # the heading that it stands under, or ""


@dataclasses.dataclass
class Verb:
    name: str
    summary: str
    usages: list     # what stands behind `wavetape VERB [OPTION...]`
    text: list       # paragraphs before the options
    options: list
    after: list      # lines behind them


def ask(command, *arguments):
    return subprocess.run([command, *arguments, "--help"], capture_output=True, text=True, check=True).stdout


def kind_of(value):
    """What is to be completed for a value or argument of that name."""
    if value in ("FILE", "OUT", "A", "B"):
        return "trace"
    if value.endswith(".json"):
        return "workload"
    if value in ("CORE", "LIB", "PROGRAM"):
        return "file"
    if value in ("DIR", "DIRECTORY"):
        return "directory"
    if value == "PID":
        return "process"
    return ""


OPTION = re.compile(r"^ {2,6}(?:-(?P<short>.)(?:, )?)?(?: *--(?P<long>[a-z0-9-]+)(?:\[?=(?P<value>[^ ]+?)\]?)?)?(?: {2,}(?P<text>.*))?$")


def read_verb(command, name, summary):
    lines = ask(command, name).splitlines()
    verb = Verb(name, summary, [], [], [], [])
    group, behind, paragraphs = "", False, [[]]
    for line in lines:
        usage = re.match(rf"(?:Usage:|  or: ) wavetape {re.escape(name)} ?(?:\[OPTION\.\.\.\])? ?(.*)$", line)
        if usage:
            verb.usages.append(usage[1])
            continue
        option = OPTION.match(line) if re.match(r"^ {2,6}-", line) else None
        if option and not behind:
            if not option["long"]:
                raise ValueError(f"wavetape {name} --help: an option without a long name: {line}")
            verb.options.append(Option(option["short"] or "", option["long"], option["value"] or "", option["text"] or "", group))
        elif behind or (verb.options and re.match(r"\S", line)):
            behind = True
            verb.after.append(line)
        elif not verb.options and not re.match(r"^ \S.*:$", line):
            paragraphs[-1].append(line) if line else paragraphs.append([])
        elif re.match(r"^ \S.*:$", line):
            group = line.strip()
        elif re.match(r"^ {20,}\S", line):
            verb.options[-1].text = f"{verb.options[-1].text} {line.strip()}".strip()
        elif line:
            raise ValueError(f"wavetape {name} --help: what is this line: {line}")
        else:
            group = ""
    verb.text = [" ".join(paragraph) for paragraph in paragraphs if paragraph]
    # What argp says itself.
    while verb.after and re.match(r"Mandatory or optional arguments to long|for any corresponding short|$", verb.after[0]):
        verb.after.pop(0)
    return verb


def read_verbs(command):
    found = re.findall(r"^  (\S+) +(\S.*)$", ask(command), re.MULTILINE)
    return [read_verb(command, name, summary) for name, summary in found]


def arguments_of(verb):
    """Kinds of what stands behind the options, without repetition, and whether a command follows `--`."""
    words = re.findall(r"[A-Za-z.]+", " ".join(usage.split("-- ")[0] for usage in verb.usages))
    kinds = sorted({kind_of(word) for word in words} - {""})
    return kinds, any("-- " in usage for usage in verb.usages)


def shell_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


# --- bash

BASH = r"""# Completion of wavetape for bash. Made from the options of its verbs.
_wavetape_files() {
	local pattern=$1 current=$2
	COMPREPLY=($(compgen -f -X "!*$pattern" -- "$current") $(compgen -d -S / -- "$current"))
	((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- "$current"))
	compopt -o filenames 2>/dev/null
}

_wavetape_kind() {
	case $1 in
	trace) _wavetape_files .wtape "$2" ;;
	workload) _wavetape_files .json "$2" ;;
	file) _wavetape_files '' "$2" ;;
	directory)
		COMPREPLY=($(compgen -d -- "$2"))
		compopt -o filenames 2>/dev/null
		;;
	process) COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$2")) ;;
	*) COMPREPLY=() ;;
	esac
}

_wavetape() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
	local options values kinds client=false word kind IFS=$' \t\n'
	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		COMPREPLY=($(compgen -W "@VERBS@ --help --version" -- "$current"))
		return
	fi
	case $verb in
@CASES@
	*) return ;;
	esac
	for ((word = 2; word < COMP_CWORD; word++)); do
		[[ ${COMP_WORDS[word]} == -- ]] || continue
		$client || return
		if ((COMP_CWORD == word + 1)); then
			COMPREPLY=($(compgen -c -- "$current"))
		else
			_wavetape_files '' "$current"
		fi
		return
	done
	# "--stop=3" is three words to bash.
	if [[ $current == = ]]; then
		current= before=${COMP_WORDS[COMP_CWORD - 1]}
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	for word in $values; do
		[[ ${word%%:*} == "$before" ]] || continue
		_wavetape_kind "${word#*:}" "$current"
		return
	done
	if [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$current"))
		return
	fi
	for kind in $kinds; do
		_wavetape_kind "$kind" "$current"
		((${#COMPREPLY[@]})) && return
	done
}

complete -F _wavetape wavetape
"""


def bash(verbs):
    cases = []
    for verb in verbs:
        kinds, client = arguments_of(verb)
        options = " ".join(f"--{option.long}" for option in verb.options) + (" --" if client else "")
        values = " ".join(f"{name}:{kind_of(option.value)}" for option in verb.options if option.value
                          for name in ([f"-{option.short}"] if option.short else []) + [f"--{option.long}"])
        cases.append(f"\t{verb.name})\n\t\toptions='{options}' values='{values}' kinds='{' '.join(kinds)}'"
                     f" client={'true' if client else 'false'}\n\t\t;;")
    return BASH.replace("@VERBS@", " ".join(verb.name for verb in verbs)).replace("@CASES@", "\n".join(cases))


# --- zsh

ZSH_KINDS = {
    "trace": "_files -g '*.wtape(-.)'", "workload": "_files -g '*.json(-.)'", "file": "_files", "directory": "_files -/",
    "process": "_pids", "": "",
}


def zsh_text(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_option(option):
    names = [f"-{option.short}"] if option.short and option.short != "?" else []
    names.append(f"--{option.long}" + ("=" if option.value else ""))
    if option.short and option.value and len(names) == 2:
        names[0] += "+"
    value = f":{option.value}:{ZSH_KINDS[kind_of(option.value)]}" if option.value else ""
    value = value.replace("'", "'\\''")
    if len(names) == 1:
        return f"'{names[0]}[{zsh_text(option.text)}]{value}'"
    exclusive = f"-{option.short} --{option.long}"
    return f"'({exclusive})'{{{','.join(names)}}}'[{zsh_text(option.text)}]{value}'"


def zsh(verbs):
    lines = ["#compdef wavetape", "# Completion of wavetape for zsh. Made from the options of its verbs.", "",
             "_wavetape() {", "\tlocal -a verbs", "\tlocal state line", "\tverbs=("]
    lines += [f"\t\t'{verb.name}:{zsh_text(verb.summary)}'" for verb in verbs]
    lines += ["\t)", "\t_arguments -C '(- *)--help[list the verbs]' '(- *)--version[print the version]' '1:verb:->verb' '*::argument:->rest'",
              "\tcase $state in", "\tverb) _describe 'verb' verbs ;;", "\trest)", "\t\tcase $words[1] in"]
    for verb in verbs:
        kinds, client = arguments_of(verb)
        wanted = [ZSH_KINDS[kind] for kind in kinds]
        words = [zsh_option(option) for option in verb.options]
        if wanted:
            words.append(shell_quoted(f"*:argument:{wanted[0]}"))
        lines.append(f"\t\t{verb.name})")
        if client:
            lines += ["\t\t\tlocal -i client=${words[(i)--]}", "\t\t\tif (( client < CURRENT )); then",
                      '\t\t\t\twords=("${(@)words[client + 1, -1]}")', "\t\t\t\t(( CURRENT -= client ))", "\t\t\t\t_normal",
                      "\t\t\t\treturn", "\t\t\tfi"]
        lines.append("\t\t\t_arguments \\\n" + " \\\n".join(f"\t\t\t\t{word}" for word in words))
        lines.append("\t\t\t;;")
    lines += ["\t\tesac", "\t\t;;", "\tesac", "}", "", '_wavetape "$@"', ""]
    return "\n".join(lines)


# --- fish

FISH_KINDS = {
    "trace": "(__fish_complete_suffix .wtape)", "workload": "(__fish_complete_suffix .json)", "process": "(__fish_complete_pids)",
    "directory": "(__fish_complete_directories)",
}


def fish(verbs):
    lines = ["# Completion of wavetape for fish. Made from the options of its verbs.", "complete -c wavetape -f",
             "complete -c wavetape -n __fish_use_subcommand -l help -d 'list the verbs'",
             "complete -c wavetape -n __fish_use_subcommand -l version -d 'print the version'"]
    for verb in verbs:
        kinds, client = arguments_of(verb)
        here = f"-n '__fish_seen_subcommand_from {verb.name}'"
        lines.append(f"complete -c wavetape -n __fish_use_subcommand -a {verb.name} -d {fish_quoted(verb.summary)}")
        for option in verb.options:
            words = [f"complete -c wavetape {here}"]
            if option.short and option.short != "?":
                words.append(f"-s {option.short}")
            words.append(f"-l {option.long}")
            if option.value:
                kind = kind_of(option.value)
                words.append("-r -F" if kind == "file" else f"-x -a '{FISH_KINDS[kind]}'" if kind else "-x")
            words.append(f"-d {fish_quoted(option.text)}")
            lines.append(" ".join(words))
        for kind in kinds:
            lines.append(f"complete -c wavetape {here} " + ("-F" if kind == "file" else f"-a '{FISH_KINDS[kind]}'"))
        if client:
            lines.append(f"complete -c wavetape -n '__fish_seen_subcommand_from {verb.name}; and contains -- -- (commandline -opc)'"
                         " -a '(__fish_complete_subcommand --fcs-skip=2)' -F")
    return "\n".join(lines) + "\n"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# --- manual pages

def mdoc_text(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def mdoc_sentences(text):
    """A sentence on each line, as mdoc wants it."""
    return [mdoc_text(line) for line in re.split(r"(?<=[^.][.]) (?=[^ ])", text) if line]


def mdoc_word(word):
    """A word as an argument of a macro."""
    return '"' + mdoc_text(word).replace('"', '\\(dq') + '"'


def manual(verb, date):
    lines = ['.\\" Made from the options of the verb.', f".Dd {date}", f".Dt WAVETAPE-{verb.name.upper()} 1", ".Os", ".Sh NAME",
             f".Nm wavetape-{verb.name}", f".Nd {mdoc_text(verb.summary)}", ".Sh SYNOPSIS"]
    for usage in verb.usages:
        lines += [".Nm wavetape", f".Cm {verb.name}", ".Op Ar option ..."]
        lines += [f".Ar {mdoc_word(usage)}"] if usage else []
    lines.append(".Sh DESCRIPTION")
    for number, paragraph in enumerate(verb.text):
        lines += [".Pp"] if number else []
        lines += mdoc_sentences(paragraph)
    lines.append(".Sh OPTIONS")
    group = None
    for option in verb.options:
        if option.group != group:
            lines += [".El"] if group is not None else []
            lines += [f".Ss {mdoc_text(option.group.rstrip(':'))}"] if option.group else [".Ss Help"] if group else []
            lines.append(".Bl -tag -width Ds")
            group = option.group
        short = f"Fl {'?' if option.short == '?' else option.short} , " if option.short else ""
        value = f" Ns = Ns Ar {mdoc_word(option.value)}" if option.value else ""
        lines.append(f".It {short}Fl -{option.long}{value}")
        lines += mdoc_sentences(option.text)
    lines.append(".El")
    lines += [".Sh EXIT STATUS", "0: fine; 1: it failed or did not compare equal; 2: wrong usage; 3: something is lost or damaged,",
              "and a message names it."]
    if verb.after:
        example = next((number for number, line in enumerate(verb.after) if line == "Examples:"), len(verb.after))
        notes = " ".join(line for line in verb.after[:example] if line)
        lines += [".Sh NOTES", *mdoc_sentences(notes)] if notes else []
        shown = [line for line in verb.after[example + 1:] if line]
        lines += [".Sh EXAMPLES", ".Bd -literal -offset indent", *(mdoc_text(line.strip()) for line in shown), ".Ed"] if shown else []
    lines += [".Sh SEE ALSO", ".Xr wavetape 1", ""]
    return "\n".join(lines)


def main():
    command, date, directory, *expected = sys.argv[1:]
    verbs = read_verbs(command)
    if [verb.name for verb in verbs] != expected:
        sys.exit(f"the command has the verbs {' '.join(verb.name for verb in verbs)}, and the build expects {' '.join(expected)}")
    output = pathlib.Path(directory)
    (output / "wavetape").write_text(bash(verbs), encoding="utf-8")
    (output / "_wavetape").write_text(zsh(verbs), encoding="utf-8")
    (output / "wavetape.fish").write_text(fish(verbs), encoding="utf-8")
    for verb in verbs:
        (output / f"wavetape-{verb.name}.1").write_text(manual(verb, date), encoding="utf-8")


if __name__ == "__main__":
    main()
