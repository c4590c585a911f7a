import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.clusters import cluster_languages, find_cluster, load_clusters


def test_english_and_spanish_ship():
    assert cluster_languages() == ["en", "es"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_clusters_are_positive_integers_of_many_words(language):
    clusters = load_clusters(language)
    assert len(clusters) == 60_000
    assert min(clusters.values()) > 0
    assert len(set(clusters.values())) > 500
    assert load_clusters(language) is clusters


def test_prefixes_join_words_alike():
    clusters = load_clusters("en")
    days = {clusters[day] & 63 for day in ("Monday", "Tuesday", "Thursday", "Friday")}
    assert len(days) == 1
    assert clusters["Monday"] & 63 != clusters["the"] & 63


def test_find_cluster_falls_back_to_lower_case():
    clusters = {"the": 11, "May": 5}
    assert find_cluster(clusters, "THE") == 11
    assert find_cluster(clusters, "May") == 5
    assert find_cluster(clusters, "zzz") is None


@pytest.mark.parametrize("language", ["nl", "../en", ""])
def test_other_languages_are_refused(language):
    with pytest.raises(ConfigError, match="en, es"):
        load_clusters(language)
