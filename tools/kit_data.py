# SPDX-License-Identifier: MIT
"""The data of the kit as tools/dev-check sees it: what an exercise shares with others is laid under its own."""

import glob
import json
import os


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def slugs():
    return sorted(path.split("/")[1] for path in glob.glob("catalog/*/exercise.json"))


def layers(slug):
    """The folders that an exercise is made of: the one that it shares with others, if it does, and its own."""
    shared = load(f"catalog/{slug}/exercise.json").get("shares")
    return [shared, slug] if shared else [slug]


def exercise(slug):
    own = load(f"catalog/{slug}/exercise.json")
    if layers(slug) == [slug]:
        return own
    shared = load(f"catalog/{layers(slug)[0]}/shared.json")
    return {**shared, **own, "checks": shared["checks"] + own["checks"]}


def part(slug, name, identity):
    """The array of rules, cases or pitfalls."""
    elements = {}
    for folder in layers(slug):
        for element in load(f"catalog/{folder}/{name}.json")[name]:
            elements[element[identity]] = {**elements.get(element[identity], {}), **element}
    return list(elements.values())


def starter_files(slug):
    """Name to path, of all that a student receives."""
    files = {}
    for folder in layers(slug):
        for path in glob.glob(f"starter/{folder}/**", recursive=True, include_hidden=True):
            if os.path.isfile(path):
                files[os.path.relpath(path, f"starter/{folder}")] = path
    return files


def subjects(slug, kind):
    """The mutants or cheats of an exercise, with those that it shares or makes from another exercise's."""
    found = []
    for folder in layers(slug):
        path = f"tests/{kind}/{folder}/{kind}.json"
        found += load(path)[kind] if os.path.exists(path) else []
    path = f"tests/{kind}/{slug}/variants.json"
    if os.path.exists(path):
        variants = load(path)
        names, rules = variants.get("names"), variants.get("rules", {})
        for subject in load(f"tests/{kind}/{variants['of']}/{kind}.json")[kind]:
            if (names is None or subject["name"] in names) and subject["name"] not in variants.get("without", []):
                found.append({**subject, "rules": rules.get(subject["name"], subject["rules"])})
    return found


def without_mutant(slug):
    paths = [f"tests/mutants/{folder}/mutants.json" for folder in layers(slug)]
    return [entry for path in paths if os.path.exists(path) for entry in load(path).get("without_mutant", [])]


def alternates(slug):
    path = f"tests/alternates/{slug}/variants.json"
    of = [slug] + ([load(path)["of"]] if os.path.exists(path) else [])
    return [folder for name in of for folder in glob.glob(f"tests/alternates/{name}/*/")]
